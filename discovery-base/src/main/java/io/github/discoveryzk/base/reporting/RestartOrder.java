// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.reporting;

import io.github.discoveryzk.report.Episode;
import io.github.discoveryzk.report.Health;
import io.github.discoveryzk.report.InstanceState;
import io.github.discoveryzk.report.Reporter.Restart;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.report.TopologyReport.Cluster;
import io.github.discoveryzk.report.TopologyReport.Instance;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * When containers are restarted, and in which order: juniors first, because each that comes back is the youngest. So the leader, which is
 * last, is succeeded by an instance that was restarted already, and the lead moves once.
 */
final class RestartOrder {

    private static final String LEADS = "it leads the cluster";

    private static final String HANDS_OVER = LEADS + ", and hands over once if it is last";

    private static final String COPIED = "stop the process that waits for its id first";

    private static final String LEFT_OUT = "it is left out of the view, so others notice nothing";

    private static final String ELSEWHERE = "see on its page whether its ZooKeeper server may be stopped";

    private RestartOrder() {}

    /**
     * Returns what is to be restarted: what has crashed or is left out of the view first, and without what a restart that goes on has behind it,
     * unless that are all. Then it names what was stopped last and is not back.
     */
    static List<Restart> of(TopologyReport report, Map<String, String> late) {
        List<Instance> members = new ArrayList<>(members(report));
        members.removeIf(each -> each.status().state() == InstanceState.GONE);
        Set<String> restarted = restarted(report);
        boolean over = restarted.containsAll(members.stream().map(Instance::id).toList());
        members.removeIf(each -> !over && restarted.contains(each.id()));
        Collections.reverse(members);
        members.sort(Comparator.comparing((Instance each) -> each.leader() || each.wasLeader())
                .thenComparing(each -> late.containsKey(each.id()) || isElsewhere(report, each, late)));
        List<Instance> stopped = over && report.crashed().isEmpty() ? stopped(report) : List.of();
        if (!stopped.isEmpty()) {
            return stopped.stream()
                    .map(each -> new Restart(each.id(), Restart.STOPPED))
                    .toList();
        }
        List<Restart> steps = new ArrayList<>();
        report.crashed().forEach(each -> steps.add(new Restart(each.id(), Restart.GONE)));
        Stream.concat(report.outsiders().stream(), report.recentlyLeft().stream())
                .filter(each -> each.status().state() == InstanceState.EXCLUDED)
                .forEach(each -> steps.add(new Restart(each.id(), LEFT_OUT)));
        if (!over || steps.isEmpty()) {
            String ofLeader = members.size() > 1 ? HANDS_OVER : LEADS;
            members.forEach(each -> steps.add(new Restart(each.id(), why(report, each, over, late, ofLeader))));
        }
        return steps;
    }

    private static String why(
            TopologyReport report, Instance member, boolean over, Map<String, String> late, String ofLeader) {
        if (over) {
            return Restart.DONE;
        } else if (copies(report, member.id()).findAny().isPresent()) {
            return COPIED;
        }
        return Stream.of(
                        member.leader() || member.wasLeader() ? ofLeader : "",
                        late.getOrDefault(member.id(), isElsewhere(report, member, late) ? ELSEWHERE : ""))
                .filter(each -> !each.isEmpty())
                .collect(Collectors.joining("; "));
    }

    /** Says whether only the page of a member knows whether its server may be stopped. */
    private static boolean isElsewhere(TopologyReport report, Instance member, Map<String, String> late) {
        return late.isEmpty()
                && ReportAssembly.hasServer(member)
                && members(report).stream().noneMatch(each -> each.local() && ReportAssembly.hasServer(each));
    }

    /**
     * Returns the ids of the instances that a restart which may go on has behind it, and of those that have come since it began. What it
     * restarts again was an earlier one's.
     */
    private static Set<String> restarted(TopologyReport report) {
        Set<String> restarted = new HashSet<>();
        long until = report.generatedMillis();
        long begin = 0;
        for (Episode each : Episode.of(report.history())) {
            if (!each.mayGoOn(until) || !Collections.disjoint(restarted, each.restarted())) {
                break;
            } else if (restarted.addAll(each.restarted())) {
                until = each.beginMillis();
                begin = each.firstView();
            }
        }
        long first = begin;
        report.history().entries().stream()
                .filter(each -> each.number() < first && !each.members().isEmpty())
                .findFirst()
                .ifPresent(before -> members(report).stream()
                        .map(Instance::id)
                        .filter(id -> before.members().stream()
                                .noneMatch(each -> each.instanceId().equals(id)))
                        .forEach(restarted::add));
        return restarted;
    }

    private static List<Instance> stopped(TopologyReport report) {
        return report.recentlyLeft().stream()
                .filter(each -> each.status().state() == InstanceState.GONE)
                .toList();
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
            case SETTLED -> Stream.concat(fewMembers(members(report).size() - 1, minInstances), ofCopies(report))
                    .toList();
            case REFUSED, QUARANTINED, EXCLUDED -> List.of();
            case SUSPENDED -> List.of("The store does not answer: " + report.sentence());
            case JOINING, CHANGING -> Health.isHeldUpHere(report) ? List.of() : unsettled(report);
            case CONNECTING, CUT_OFF, STOPPED -> unsettled(report);
        };
    }

    private static List<String> unsettled(TopologyReport report) {
        return List.of("No view is settled here: " + report.sentence());
    }

    private static Stream<String> fewMembers(int rest, int minInstances) {
        return rest > 0 && rest < minInstances
                ? Stream.of("Without this instance the cluster has " + rest + " of the " + minInstances
                        + " members that minInstances wants.")
                : Stream.empty();
    }

    private static Stream<Instance> copies(TopologyReport report, String id) {
        return report.outsiders().stream().filter(each -> each.id().equals(id) && !each.local());
    }

    private static Stream<String> ofCopies(TopologyReport report) {
        return copies(report, report.localInstanceId())
                .limit(1)
                .map(each -> "Process " + each.process().pid() + " on host "
                        + each.process().host()
                        + " has the id of this instance and would take its place: stop it first.");
    }
}
