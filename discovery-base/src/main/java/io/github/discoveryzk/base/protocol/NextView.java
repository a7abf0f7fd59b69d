// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import io.github.discoveryzk.model.Departure;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.LeaseProbe;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.UnreadableMember;
import io.github.discoveryzk.model.ViewDifference;
import io.github.discoveryzk.model.ViewHead;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The next view of a cluster: its number, token and members, and its history entry.
 *
 * @param store the snapshot that the decision rests on
 * @param highest the highest number of a view that this process has ever seen
 * @param members the members of the next view, in order
 * @param missing live members of the present view that are excluded because they have not acknowledged it
 * @param unreadableNewcomers live newcomers that are excluded because no instance could read their records within the settle timeout
 */
record NextView(
        StoreSnapshot store,
        long highest,
        List<Member> members,
        List<Member> missing,
        List<UnreadableMember> unreadableNewcomers) {

    /** A sentence with more names is unreadable, and every member stores it. */
    private static final int NAMED_IN_CAUSE = 12;

    EstablishedView view(String publisher, long wallMillis) {
        long number = Math.max(store.nextNumber(), highest + 1);
        List<Incarnation> next = members.stream().map(Member::incarnation).toList();
        Optional<EstablishedView> before = store.view();
        // After a gap others may have led under the missing numbers, so this is a new leadership.
        Optional<EstablishedView> sameLeader = before.filter(view -> view.number() + 1 == number)
                .filter(view -> view.leader().equals(next.get(0)));
        ViewHead head = new ViewHead(
                number,
                before.map(EstablishedView::number).orElse(0L),
                sameLeader.map(EstablishedView::token).orElse(number),
                members.stream()
                        .mapToInt(member -> member.record().sessionTimeoutMillis())
                        .max()
                        .orElse(0),
                sameLeader.map(view -> view.head().leaderSinceMillis()).orElse(wallMillis),
                cause(next, number),
                publisher);
        return new EstablishedView(head, next, excluded(before));
    }

    HistoryEntry history(EstablishedView next, long wallMillis, long changingMillis) {
        return new HistoryEntry(
                ViewDifference.between(store.view(), next), left(next.members()), wallMillis, changingMillis);
    }

    /** A member that was excluded earlier stays excluded as long as its node lives. */
    private Set<String> excluded(Optional<EstablishedView> before) {
        Set<String> all = new HashSet<>(before.map(EstablishedView::excluded).orElse(Set.of()));
        all.removeIf(node -> !store.isLive(node));
        missing.forEach(member -> all.add(member.node()));
        unreadableNewcomers.forEach(member -> all.add(member.node()));
        return all;
    }

    private List<Incarnation> earlierMembers() {
        return store.view().map(EstablishedView::members).orElse(List.of());
    }

    private List<Incarnation> joined(List<Incarnation> next) {
        Set<Incarnation> earlier = new HashSet<>(earlierMembers());
        return next.stream().filter(member -> !earlier.contains(member)).toList();
    }

    /** Returns the leave records of nodes that no longer exist; the history entry of this view has their content. */
    Set<LeaveRecord> obsoleteLeaveRecords() {
        return store.leaseProbe().map(LeaseProbe::leaveRecords).orElse(Set.of()).stream()
                .filter(leaveRecord -> !store.isLive(leaveRecord.node()))
                .collect(Collectors.toUnmodifiableSet());
    }

    private List<Departure> left(List<Incarnation> next) {
        Set<Incarnation> known = new HashSet<>(next);
        missing.forEach(member -> known.add(member.incarnation()));
        return earlierMembers().stream()
                .filter(member -> !known.contains(member))
                .map(this::departure)
                .toList();
    }

    private Departure departure(Incarnation member) {
        Optional<LeaveRecord> leaveRecord = store.leaseProbe().flatMap(leaseProbe -> leaseProbe.of(member.node()));
        Optional<String> by = leaveRecord.map(LeaveRecord::by).filter(node -> !node.equals(member.node()));
        long after = leaveRecord.map(LeaveRecord::afterMillis).orElse(0L);
        return new Departure(member, leaveRecord.map(LeaveRecord::kind), by.map(this::instanceId), after);
    }

    private String instanceId(String node) {
        Stream<Incarnation> known =
                Stream.concat(store.members().stream().map(Member::incarnation), earlierMembers().stream());
        return known.filter(one -> one.node().equals(node))
                .findFirst()
                .map(Incarnation::instanceId)
                .orElse(node);
    }

    private List<Reason> cause(List<Incarnation> next, long number) {
        List<Reason> cause = new ArrayList<>();
        add(cause, joined(next), member -> Reason.of(ReasonCode.JOINED, member.instanceId()), ReasonCode.MORE_JOINED);
        add(cause, left(next), Reason::of, ReasonCode.MORE_LEFT);
        if (!missing.isEmpty()) {
            Map<String, String> late = new LinkedHashMap<>();
            missing.forEach(member ->
                    late.put(member.instanceId(), member.record().waitingFor().orElse("")));
            cause.add(Reason.late(ReasonCode.LATE, late));
        }
        add(
                cause,
                unreadableNewcomers,
                member -> Reason.of(ReasonCode.NODE_UNREADABLE, member.node()),
                ReasonCode.MORE_UNREADABLE);
        store.view()
                .filter(view -> view.number() + 1 < number)
                .ifPresent(view -> cause.add(Reason.of(ReasonCode.REGRESSED, view.number())));
        return cause.isEmpty() ? List.of(Reason.of(ReasonCode.INVALIDATED)) : cause;
    }

    /** Adds a reason for each of the first ones, and their number for the others; the history entry has all. */
    private static <T> void add(List<Reason> cause, List<T> all, Function<T, Reason> reason, ReasonCode more) {
        all.stream().limit(NAMED_IN_CAUSE).map(reason).forEach(cause::add);
        if (all.size() > NAMED_IN_CAUSE) {
            cause.add(Reason.of(more, all.size() - NAMED_IN_CAUSE));
        }
    }
}
