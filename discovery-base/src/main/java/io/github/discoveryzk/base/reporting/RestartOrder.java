// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.reporting;

import io.github.discoveryzk.report.InstanceState;
import io.github.discoveryzk.report.Reporter.Restart;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.report.TopologyReport.Cluster;
import io.github.discoveryzk.report.TopologyReport.Instance;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * When containers are restarted, and in which order: juniors first, because each that comes back is the youngest. So the leader, which is
 * last, is succeeded by an instance that was restarted already, and the lead moves once.
 */
final class RestartOrder {

    private static final String LEADS = "it leads the cluster, and hands over once if it is last";

    private static final String LEFT_OUT = "it is left out of the view, so others notice nothing";

    /** The next container of a restart of all is expected within this time. */
    private static final long SERIES_MILLIS = 600_000;

    private RestartOrder() {}

    /** Returns what is to be restarted: what is left out of the view first, and without what a restart that goes on has behind it. */
    static List<Restart> of(TopologyReport report, Map<String, String> late) {
        List<Instance> members = new ArrayList<>(members(report));
        members.removeAll(restarted(members, report.source().generatedMillis()));
        Collections.reverse(members);
        members.sort(Comparator.comparing((Instance each) -> each.leader() || each.wasLeader())
                .thenComparing(each -> late.containsKey(each.id())));
        return Stream.concat(
                        report.outsiders().stream()
                                .filter(each -> each.status().state() == InstanceState.EXCLUDED)
                                .map(each -> new Restart(each.id(), LEFT_OUT)),
                        members.stream()
                                .map(each -> new Restart(
                                        each.id(),
                                        each.leader() || each.wasLeader() ? LEADS : late.getOrDefault(each.id(), ""))))
                .toList();
    }

    /** Returns the instances whose processes started in a series that may go on; none if all did, as after the first start of a cluster. */
    private static List<Instance> restarted(List<Instance> members, long now) {
        List<Instance> restarted = new ArrayList<>(members);
        restarted.sort(Comparator.comparingLong(each -> -each.process().startedMillis()));
        long next = now;
        for (Instance each : List.copyOf(restarted)) {
            if (next - each.process().startedMillis() > SERIES_MILLIS) {
                return restarted.subList(0, restarted.indexOf(each));
            }
            next = each.process().startedMillis();
        }
        return List.of();
    }

    private static List<Instance> members(TopologyReport report) {
        return report.clusters().stream()
                .filter(Cluster::local)
                .flatMap(each -> each.instances().stream())
                .toList();
    }

    /** Returns why the instance should not leave now. The members' view is without an instance that is refused or was left out. */
    static List<String> objections(TopologyReport report, int minInstances) {
        return switch (report.state()) {
            case SETTLED -> fewMembers(members(report).size() - 1, minInstances);
            case REFUSED, QUARANTINED, EXCLUDED -> List.of();
            case CONNECTING, JOINING, CHANGING, SUSPENDED, CUT_OFF, STOPPED -> List.of(
                    "No view is settled here: " + report.sentence());
        };
    }

    private static List<String> fewMembers(int rest, int minInstances) {
        return rest > 0 && rest < minInstances
                ? List.of("Without this instance the cluster has " + rest + " of the " + minInstances
                        + " members that minInstances wants.")
                : List.of();
    }
}
