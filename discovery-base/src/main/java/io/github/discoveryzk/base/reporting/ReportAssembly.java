// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.reporting;

import io.github.discoveryzk.base.journal.RecentDepartures;
import io.github.discoveryzk.base.journal.RecentDepartures.Departed;
import io.github.discoveryzk.base.journal.Standing;
import io.github.discoveryzk.base.protocol.HeldView;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.RemoteCluster.RemoteInstance;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.report.Change;
import io.github.discoveryzk.report.InstanceNames;
import io.github.discoveryzk.report.InstanceState;
import io.github.discoveryzk.report.InstanceStatus;
import io.github.discoveryzk.report.Secrets;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport.Cluster;
import io.github.discoveryzk.report.TopologyReport.Instance;
import io.github.discoveryzk.report.TopologyReport.Instances;
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

/** Collects the instances of a report, each with its state, and describes the change that is going on. Used once. */
final class ReportAssembly {

    private static final int NAMED_IN_CAUSE = 12;

    private static final ProcessInfo NO_PROCESS = new ProcessInfo("", "", 0, "", 0);

    private final Standing standing;
    private final RecentDepartures departures;
    private final MemberStates states;
    private final String runtimeId;
    private final boolean current;

    /**
     * Prepares a report.
     *
     * @param runtimeId the id of the process of this instance
     * @param current whether the held view is current now
     */
    ReportAssembly(
            Standing standing, RecentDepartures departures, MemberStates states, String runtimeId, boolean current) {
        this.standing = standing;
        this.departures = departures;
        this.states = states;
        this.runtimeId = runtimeId;
        this.current = current;
    }

    Instances instances() {
        List<Cluster> clusters = new ArrayList<>();
        standing.held().ifPresent(held -> {
            clusters.add(new Cluster(held.clusterId(), true, members(held), List.of()));
            for (RemoteCluster cluster : standing.past().remotes().clusters()) {
                clusters.add(new Cluster(cluster.id(), false, remotes(cluster), cluster.way()));
            }
        });
        return new Instances(clusters, outsiders(), recentlyLeft(), names());
    }

    /** Returns the names that are known, also of instances of other clusters; those of the local cluster are known better. */
    private InstanceNames names() {
        Map<String, String> all = new HashMap<>();
        for (RemoteCluster cluster : standing.past().remotes().clusters()) {
            for (RemoteInstance instance : cluster.instances()) {
                InstanceNames.name(instance.properties()).ifPresent(name -> all.put(instance.instanceId(), name));
            }
        }
        if (all.isEmpty()) {
            return departures.names();
        }
        all.putAll(departures.names().byId());
        return InstanceNames.of(all);
    }

    private List<Instance> members(HeldView held) {
        List<Instance> instances = new ArrayList<>();
        for (Member member : held.members()) {
            boolean first = instances.isEmpty();
            InstanceStatus status = states.ofMember(member, held);
            instances.add(new Instance(
                    instances.size() + 1,
                    masked(member),
                    status,
                    current ? first : leadsElsewhere(member, status),
                    first && !current,
                    member.node().equals(held.self())));
        }
        return instances;
    }

    private List<Instance> remotes(RemoteCluster cluster) {
        List<Instance> instances = new ArrayList<>();
        for (RemoteInstance each : cluster.instances()) {
            Member member = new Member("", 0, 0, 0, MemberRecord.of(each.instanceId(), NO_PROCESS, each.properties()));
            boolean leads = each.instanceId().equals(cluster.leader());
            instances.add(new Instance(instances.size() + 1, masked(member), states.ofRemote(), leads, false, false));
        }
        return instances;
    }

    private static Member masked(Member member) {
        Map<String, String> shown = new HashMap<>();
        member.record().properties().forEach((name, value) -> shown.put(name, Secrets.masked(name, value)));
        return member.withRecord(member.record().withProperties(shown));
    }

    private List<Instance> outsiders() {
        Set<String> heldNodes = heldMembers().map(Member::node).collect(Collectors.toSet());
        Optional<String> self = liveMembers()
                .filter(member -> member.isOf(runtimeId))
                .map(Member::node)
                .findFirst();
        return liveMembers()
                .filter(member -> !heldNodes.contains(member.node()))
                .map(member -> {
                    InstanceStatus status = states.ofOutsider(member);
                    boolean isLocal = self.filter(member.node()::equals).isPresent();
                    return new Instance(0, masked(member), status, leadsElsewhere(member, status), false, isLocal);
                })
                .toList();
    }

    /** Says whether a member leads the view of the others, which this instance does not hold. */
    private boolean leadsElsewhere(Member member, InstanceStatus status) {
        return status.state() == InstanceState.MOVED_ON
                && standing.store()
                        .flatMap(StoreSnapshot::view)
                        .map(EstablishedView::leader)
                        .filter(member.incarnation()::equals)
                        .isPresent();
    }

    private Stream<Member> liveMembers() {
        return standing.store().stream().flatMap(seen -> seen.members().stream());
    }

    private Stream<Member> heldMembers() {
        return standing.held().stream().flatMap(held -> held.members().stream());
    }

    /** An instance that is live, or that the held view has, is shown elsewhere. */
    private List<Instance> recentlyLeft() {
        Set<String> shown = Stream.concat(liveMembers(), heldMembers())
                .map(Member::instanceId)
                .collect(Collectors.toCollection(HashSet::new));
        return departures.departed().stream()
                .filter(gone -> shown.add(gone.member().instanceId()))
                .map(gone -> new Instance(0, masked(gone.member()), states.ofDeparted(gone), false, gone.led(), false))
                .toList();
    }

    /**
     * Names the instances that are not in the view although they did not leave, a sentence for each reason. Only an instance that is
     * settled knows.
     */
    List<String> missing(Instances instances, long now) {
        if (standing.name() != State.SETTLED) {
            return List.of();
        }
        Set<String> lost = departures.departed().stream()
                .filter(Departed::isMissing)
                .map(each -> each.member().node())
                .collect(Collectors.toSet());
        List<Instance> outside = instances.outsiders().stream()
                .filter(one -> one.status().state() == InstanceState.REFUSED
                        || one.status().state() == InstanceState.EXCLUDED)
                .filter(one ->
                        one.status().sinceMillis().orElse(Long.MAX_VALUE) > now - RecentDepartures.MISSING_MILLIS)
                .toList();
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        Stream.concat(
                        outside.stream().filter(one -> !isCopy(one)),
                        instances.recentlyLeft().stream().filter(one -> lost.contains(one.node())))
                .forEach(one -> byReason.computeIfAbsent(
                                instances.names().clause(one.status().why()), reason -> new ArrayList<>())
                        .add(instances.names().label(one.id())));
        return Stream.concat(
                        byReason.entrySet().stream()
                                .map(each -> Reason.of(ReasonCode.MISSING, each.getKey(), each.getValue())),
                        outside.stream().filter(ReportAssembly::isCopy).map(ReportAssembly::copy))
                .map(reason -> instances.names().sentence(List.of(reason)))
                .toList();
    }

    /** Names the containers that have left with a ZooKeeper server, as far as an instance without one knows. */
    Stream<String> lostServers(Instances instances) {
        List<Instance> members = members(instances);
        boolean without = members.stream().noneMatch(each -> each.local() && hasServer(each));
        return instances.recentlyLeft().stream()
                .filter(each -> standing.name() == State.SETTLED && without && hasServer(each))
                .map(each -> "The container of " + instances.names().label(each.id())
                        + " has left, and with it perhaps a ZooKeeper server: start it again, or see on the page of a container"
                        + " with a server what the servers do.");
    }

    static boolean hasServer(Instance instance) {
        return instance.properties().containsKey(Instance.SERVER_PROPERTY);
    }

    private static boolean isCopy(Instance instance) {
        return instance.status().why().stream().anyMatch(each -> each.code() == ReasonCode.ID_IS_HELD);
    }

    private static Reason copy(Instance copy) {
        ProcessInfo process = copy.process();
        return Reason.of(ReasonCode.COPY, process.pid(), process.host(), process.home(), copy.id());
    }

    /** Returns the change that is going on; empty while the view is current. */
    Optional<Change> change(Instances instances) {
        return standing.name().isHolding()
                ? Optional.empty()
                : Optional.of(
                        new Change(cause(members(instances), instances.outsiders()), standing.changingSinceMillis()));
    }

    private static List<Instance> members(Instances instances) {
        return instances.clusters().stream()
                .filter(Cluster::local)
                .flatMap(cluster -> cluster.instances().stream())
                .toList();
    }

    private List<Reason> cause(List<Instance> members, List<Instance> outsiders) {
        if (members.stream().anyMatch(one -> one.local() && one.status().state() == InstanceState.EXCLUDED)) {
            return List.of(Reason.of(ReasonCode.OWN_LATE));
        }
        List<Reason> others = Stream.concat(members.stream(), outsiders.stream())
                .flatMap(ReportAssembly::comingOrGoing)
                .toList();
        List<Reason> cause = new ArrayList<>(others.subList(0, Math.min(NAMED_IN_CAUSE, others.size())));
        if (others.size() > NAMED_IN_CAUSE) {
            boolean all = others.stream().allMatch(each -> each.code() == ReasonCode.JOINS);
            boolean none = others.stream().noneMatch(each -> each.code() == ReasonCode.JOINS);
            cause.add(Reason.of(
                    all ? ReasonCode.MORE_JOIN : none ? ReasonCode.MORE_LEFT : ReasonCode.MORE_CHANGE,
                    others.size() - NAMED_IN_CAUSE));
        }
        List<Reason> began =
                standing.past().change().map(Change::cause).orElse(List.of(Reason.of(ReasonCode.UNSETTLED)));
        if (cause.isEmpty() || began.get(0).code().isOwn()) {
            cause.addAll(0, began);
        }
        return cause;
    }

    private static Stream<Reason> comingOrGoing(Instance one) {
        return switch (one.status().state()) {
            case GONE, EXCLUDED -> one.status().why().stream();
            case JOINING -> Stream.of(Reason.of(ReasonCode.JOINS, one.id()));
            default -> Stream.of();
        };
    }
}
