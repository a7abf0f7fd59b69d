// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.dispatch.Subscriptions;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.base.journal.Journal;
import org.apache.sling.discovery.base.journal.RecentDepartures;
import org.apache.sling.discovery.base.journal.RecentDepartures.Departed;
import org.apache.sling.discovery.base.journal.Standing;
import org.apache.sling.discovery.base.protocol.HeldView;
import org.apache.sling.discovery.base.protocol.Waiting;
import org.apache.sling.discovery.base.view.RemoteClusters;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.ReasonCode;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.RemoteCluster.RemoteInstance;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.report.Change;
import org.apache.sling.discovery.commons.report.ConnectorReport;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.InstanceState;
import org.apache.sling.discovery.commons.report.InstanceStatus;
import org.apache.sling.discovery.commons.report.Secrets;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;

/** Makes the report of an instance from its journal. Used once. */
final class ReportAssembly {

    private final Local local;
    private final Journal journal;
    private final Time time;
    private final Optional<Journal.Acting> acting;
    private final Optional<StoreSnapshot> store;
    private final RemoteClusters remotes;
    private final InstanceNames names;
    private final Optional<String> selfNode;
    private final Set<String> heldNodes;
    private final MemberStates states;

    /**
     * Prepares a report.
     *
     * @param delivering the names of the own listeners that have not returned from CHANGING
     * @param read the acknowledgements of the held view that were read for display; empty if none were
     * @param history the known history, in which departures may be explained
     */
    ReportAssembly(
            Local local,
            Journal journal,
            List<String> delivering,
            Optional<Set<Acknowledgement>> read,
            List<HistoryEntry> history,
            Time time) {
        this.local = local;
        this.journal = journal;
        this.time = time;
        this.acting = journal.acting();
        this.store = journal.store();
        this.remotes = journal.remotes();
        this.names = named(journal.departures().names(), remotes);
        this.selfNode = store.stream()
                .flatMap(seen -> seen.members().stream())
                .filter(member -> member.isOf(local.runtimeId()))
                .map(Member::node)
                .findFirst();
        this.heldNodes = acting.stream()
                .flatMap(each -> each.held().members().stream())
                .map(Member::node)
                .collect(Collectors.toSet());
        this.states = new MemberStates(journal, delivering, read, history);
    }

    /**
     * Makes the report.
     *
     * @param revision the revision, read before all other content
     * @param leaseUsers the bundles that use the lease of the leader
     * @param connectors the connectors of the instance
     * @param problems what an operator must look at
     */
    TopologyReport report(
            long revision,
            List<Subscriptions.Status> listeners,
            List<String> leaseUsers,
            ConnectorReport connectors,
            History history,
            List<String> problems) {
        List<Instance> members = acting.map(this::members).orElse(List.of());
        List<Instance> outsiders = outsiders();
        List<Instance> left = recentlyLeft();
        ChangeAssembly changes = new ChangeAssembly(members, outsiders, names);
        TopologyReport.Status status = status(journal.standing());
        return new TopologyReport(
                time.wall().getAsLong(),
                revision,
                status,
                local.instanceId(),
                local.address(),
                journal.sessionStatus().connection(),
                acting.map(this::view),
                acting.map(each -> clusters(each.held().clusterId(), members)).orElse(List.of()),
                connectors,
                outsiders,
                left,
                changes.change(journal.standing(), journal.began(), status),
                journal.lastChange().map(this::lastChange),
                changes.ifStopped(journal.standing(), leaseUsers),
                names,
                listeners.stream()
                        .map(each -> new TopologyReport.Listener(each.name(), each.pending(), each.busyMillis()))
                        .toList(),
                recent(),
                history,
                Stream.concat(problems.stream(), missing(outsiders, left).stream())
                        .toList());
    }

    /**
     * Names the instances that are not in the view although they did not leave, a sentence for each reason. Only an instance that is
     * settled knows.
     */
    private List<String> missing(List<Instance> outsiders, List<Instance> left) {
        if (journal.standing().state() != TopologyReport.State.SETTLED) {
            return List.of();
        }
        Set<String> lost = journal.departures().departed().stream()
                .filter(Departed::isMissing)
                .map(each -> each.member().node())
                .collect(Collectors.toSet());
        long since = time.wall().getAsLong() - RecentDepartures.MISSING_MILLIS;
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        Stream.concat(
                        outsiders.stream()
                                .filter(one -> one.status().state() == InstanceState.REFUSED
                                        || one.status().state() == InstanceState.LEFT_OUT)
                                .filter(one -> one.status().sinceMillis().orElse(Long.MAX_VALUE) > since),
                        left.stream().filter(one -> lost.contains(one.node())))
                .forEach(one -> byReason.computeIfAbsent(one.status().reason(), reason -> new ArrayList<>())
                        .add(one.label()));
        return byReason.entrySet().stream()
                .map(each -> words(List.of(Reason.of(ReasonCode.MISSING, each.getKey(), each.getValue()))))
                .toList();
    }

    /** Returns the names that are known, also of instances of other clusters; those of the own cluster are known better. */
    private static InstanceNames named(InstanceNames own, RemoteClusters remotes) {
        Map<String, String> all = new HashMap<>();
        for (RemoteCluster cluster : remotes.clusters()) {
            for (RemoteInstance instance : cluster.instances()) {
                InstanceNames.name(instance.properties()).ifPresent(name -> all.put(instance.instanceId(), name));
            }
        }
        if (all.isEmpty()) {
            return own;
        }
        all.putAll(own.byId());
        return new InstanceNames(all);
    }

    private List<Cluster> clusters(String ownId, List<Instance> members) {
        List<Cluster> all = new ArrayList<>();
        all.add(new Cluster(ownId, true, members));
        for (RemoteCluster cluster : remotes.clusters()) {
            List<Instance> instances = new ArrayList<>();
            for (RemoteInstance instance : cluster.instances()) {
                boolean leads = instance.instanceId().equals(cluster.leader());
                instances.add(remote(instances.size() + 1, instance, leads));
            }
            all.add(new Cluster(cluster.id(), false, instances, cluster.way()));
        }
        return all;
    }

    private Instance remote(int position, RemoteInstance instance, boolean leads) {
        Optional<String> name = InstanceNames.name(instance.properties());
        return new Instance(
                position,
                instance.instanceId(),
                name,
                InstanceNames.label(instance.instanceId(), name),
                states.ofRemote(),
                leads,
                false,
                false,
                "",
                "",
                0,
                "",
                0,
                0,
                ConsoleAddress.of(instance.properties()),
                "",
                0,
                shown(instance.properties()));
    }

    private TopologyReport.Status status(Standing standing) {
        long toWall = time.wall().getAsLong() - time.monotonic().getAsLong();
        Waiting waiting = standing.waiting();
        return new TopologyReport.Status(
                standing.state(),
                waiting.sentence(names::label),
                standing.sinceMillis(),
                waiting.countdown()
                        .map(what -> new TopologyReport.Countdown(
                                what, waiting.until().getAsLong() + toWall)));
    }

    private String words(List<Reason> reasons) {
        return Reason.sentence(reasons, names::label);
    }

    private TopologyReport.View view(Journal.Acting held) {
        EstablishedView view = held.held().view();
        return new TopologyReport.View(
                view.number(),
                view.token(),
                view.leader().instanceId(),
                names.label(view.leader().instanceId()),
                view.head().leaderSinceMillis(),
                local.current(),
                held.sinceMillis(),
                words(view.cause()));
    }

    private Change.Settled lastChange(Journal.LastChange change) {
        return new Change.Settled(
                change.view().number(), words(change.view().cause()), change.sinceMillis(), change.settledMillis());
    }

    private TopologyReport.Recent recent() {
        return new TopologyReport.Recent(
                journal.recent().events().stream()
                        .map(each -> new TopologyReport.Event(
                                each.millis(), each.type(), each.viewNumber(), words(each.details())))
                        .toList(),
                journal.recent().transitions().stream()
                        .map(each -> new TopologyReport.Transition(each.millis(), each.to(), each.words(names)))
                        .toList(),
                journal.recent().propertyChanges());
    }

    private List<Instance> members(Journal.Acting held) {
        List<Instance> instances = new ArrayList<>();
        HeldView view = held.held();
        for (Member member : view.members()) {
            boolean first = instances.isEmpty();
            instances.add(instance(
                    instances.size() + 1,
                    member,
                    states.ofMember(member, view),
                    first && local.current(),
                    first && !local.current(),
                    member.node().equals(view.self())));
        }
        return instances;
    }

    private Instance instance(
            int position, Member member, InstanceStatus status, boolean leader, boolean wasLeader, boolean isLocal) {
        ProcessInfo process = member.record().process();
        Optional<String> name = InstanceNames.name(member.record().properties());
        return new Instance(
                position,
                member.instanceId(),
                name,
                InstanceNames.label(member.instanceId(), name),
                status,
                leader,
                wasLeader,
                isLocal,
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

    private List<Instance> outsiders() {
        Optional<Incarnation> leader = store.flatMap(StoreSnapshot::view).map(EstablishedView::leader);
        return store.stream()
                .flatMap(seen -> seen.members().stream())
                .filter(member -> !isHeld(member))
                .map(member -> {
                    InstanceStatus status = states.ofOutsider(member);
                    boolean leads = status.state() == InstanceState.MOVED_ON
                            && leader.filter(member.incarnation()::equals).isPresent();
                    boolean isLocal = selfNode.filter(member.node()::equals).isPresent();
                    return instance(0, member, status, leads, false, isLocal);
                })
                .toList();
    }

    private boolean isHeld(Member member) {
        return heldNodes.contains(member.node());
    }

    /** An instance that is live, or that the held view has, is shown elsewhere. */
    private List<Instance> recentlyLeft() {
        Set<String> shown = Stream.concat(
                        store.stream().flatMap(seen -> seen.members().stream()),
                        acting.stream().flatMap(each -> each.held().members().stream()))
                .map(Member::instanceId)
                .collect(Collectors.toCollection(HashSet::new));
        List<Instance> left = new ArrayList<>();
        for (Departed gone : journal.departures().departed()) {
            if (shown.add(gone.member().instanceId())) {
                left.add(instance(0, gone.member(), states.ofDeparted(gone), false, gone.led(), false));
            }
        }
        return left;
    }

    /**
     * The data of the instance that its journal does not have.
     *
     * @param instanceId its id
     * @param runtimeId the id of its process
     * @param address its cluster, for display
     * @param current whether its view is current now
     */
    record Local(String instanceId, String runtimeId, String address, boolean current) {}
}
