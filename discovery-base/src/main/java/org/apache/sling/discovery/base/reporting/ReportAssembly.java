// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.sling.discovery.base.dispatch.Subscriptions;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.base.journal.Journal;
import org.apache.sling.discovery.base.protocol.Candidates;
import org.apache.sling.discovery.base.protocol.HeldView;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.Secrets;
import org.apache.sling.discovery.commons.report.TopologyReport;

/** Makes the report of an instance from its journal. */
final class ReportAssembly {

    private ReportAssembly() {}

    /**
     * Makes a report.
     *
     * @param revision the revision, read before all other content
     * @param problems what an operator must look at
     */
    static TopologyReport report(
            long revision,
            Local local,
            Journal journal,
            List<Subscriptions.Status> listeners,
            History history,
            List<String> problems,
            Time time) {
        Optional<Journal.Acting> acting = journal.acting();
        return new TopologyReport(
                time.wall().getAsLong(),
                revision,
                status(journal.standing(), time),
                local.instanceId(),
                local.address(),
                journal.sessionStatus().connection(),
                acting.map(each -> view(each, local.current())),
                acting.map(each -> List.of(cluster(each.held()))).orElse(List.of()),
                journal.store().map(store -> outsiders(store, acting)).orElse(List.of()),
                listeners.stream()
                        .map(each -> new TopologyReport.Listener(each.name(), each.pending(), each.busyMillis()))
                        .toList(),
                journal.recent(),
                history,
                problems);
    }

    private static TopologyReport.Status status(Journal.Standing standing, Time time) {
        long toWall = time.wall().getAsLong() - time.monotonic().getAsLong();
        return new TopologyReport.Status(
                standing.state(),
                standing.sentence(),
                standing.sinceMillis(),
                standing.countdown().map(each -> new TopologyReport.Countdown(each.what(), each.at() + toWall)));
    }

    private static TopologyReport.View view(Journal.Acting acting, boolean current) {
        EstablishedView view = acting.held().view();
        return new TopologyReport.View(
                view.number(),
                view.token(),
                view.leader().instanceId(),
                view.leaderSinceMillis(),
                current,
                acting.sinceMillis(),
                view.cause());
    }

    private static TopologyReport.Cluster cluster(HeldView held) {
        List<TopologyReport.Instance> instances = new ArrayList<>();
        for (Member member : held.members()) {
            instances.add(instance(instances.size() + 1, member, held));
        }
        return new TopologyReport.Cluster(held.clusterId(), true, instances);
    }

    private static TopologyReport.Instance instance(int position, Member member, HeldView held) {
        ProcessInfo process = member.record().process();
        return new TopologyReport.Instance(
                position,
                member.instanceId(),
                position == 1,
                member.node().equals(held.self()),
                member.node(),
                process.host(),
                process.pid(),
                process.home(),
                process.startedMillis(),
                member.createdMillis(),
                ConsoleAddress.of(member.record().properties()),
                "0x" + Long.toHexString(member.session()),
                member.record().sessionTimeoutMillis(),
                shown(member.record().properties()));
    }

    private static Map<String, String> shown(Map<String, String> properties) {
        Map<String, String> shown = new HashMap<>();
        properties.forEach((name, value) -> shown.put(name, Secrets.masked(name, value)));
        return shown;
    }

    private static List<TopologyReport.Outsider> outsiders(StoreSnapshot store, Optional<Journal.Acting> acting) {
        Candidates candidates = Candidates.of(store);
        return store.members().stream()
                .filter(member -> acting.map(each -> !each.held().view().contains(member.node()))
                        .orElse(true))
                .map(member -> outsider(member, store, candidates))
                .toList();
    }

    private static TopologyReport.Outsider outsider(Member member, StoreSnapshot store, Candidates candidates) {
        ProcessInfo process = member.record().process();
        return new TopologyReport.Outsider(
                member.instanceId(), process.host(), process.pid(), process.home(), reason(member, store, candidates));
    }

    private static String reason(Member member, StoreSnapshot store, Candidates candidates) {
        Member holder = candidates.holders().get(member.node());
        if (holder != null) {
            ProcessInfo process = holder.record().process();
            return "refused: its instance id is held by process " + process.pid() + " on host " + process.host()
                    + ", home " + process.home();
        }
        Optional<EstablishedView> established = store.view().filter(view -> view.contains(member.node()));
        if (established.isPresent()) {
            return "is a member of view " + established.get().number() + ", which this instance does not act on";
        }
        return candidates.outdated().contains(member.node())
                ? "left out: it did not acknowledge in time; it rejoins at the end when its listeners have returned"
                : "waits to be admitted to the next view";
    }

    /**
     * The data of the instance that its journal does not have.
     *
     * @param instanceId its id
     * @param address its cluster, for display
     * @param current whether its view is current now
     */
    record Local(String instanceId, String address, boolean current) {}
}
