// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.model.Departure;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.UnreadableMember;
import org.apache.sling.discovery.commons.model.ViewDifference;

/**
 * The next view of a cluster: its number, token and members, and its history entry.
 *
 * @param store the snapshot that the decision rests on
 * @param highest the highest number of a view that this process has ever seen
 * @param members the members of the next view, in order
 * @param missing live members of the present view that are left out because they have not acknowledged it
 * @param unreadableNewcomers live newcomers that are left out because no instance could read their records within the settle timeout
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
        return new EstablishedView(
                number,
                before.map(EstablishedView::number).orElse(0L),
                sameLeader.map(EstablishedView::token).orElse(number),
                members.stream()
                        .mapToInt(member -> member.record().sessionTimeoutMillis())
                        .max()
                        .orElse(0),
                sameLeader.map(EstablishedView::leaderSinceMillis).orElse(wallMillis),
                next,
                leftOut(before),
                cause(next, number),
                publisher);
    }

    HistoryEntry history(EstablishedView next, long wallMillis, long changingMillis) {
        return new HistoryEntry(
                ViewDifference.between(store.view(), next),
                left(next.members()),
                missing.stream().map(NextView::blame).toList(),
                wallMillis,
                changingMillis);
    }

    /** Returns the name of a member that others wait for, with its slow listener where its record names one. */
    static String blame(Member member) {
        return member.instanceId()
                + member.record()
                        .waitingFor()
                        .map(listener -> " (listener " + listener + ")")
                        .orElse("");
    }

    /** A member that was left out earlier stays left out as long as its node lives. */
    private Set<String> leftOut(Optional<EstablishedView> before) {
        Set<String> all = new HashSet<>(before.map(EstablishedView::leftOut).orElse(Set.of()));
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

    /** Returns the departure notes of nodes that do not exist any more; the history entry of this view has their content. */
    Set<DepartureNote> obsoleteNotes() {
        return store.leaseProbe().map(LeaseProbe::notes).orElse(Set.of()).stream()
                .filter(note -> !store.isLive(note.node()))
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
        Optional<DepartureNote> note = store.leaseProbe().flatMap(leaseProbe -> leaseProbe.of(member.node()));
        Optional<String> by = note.map(DepartureNote::by).filter(node -> !node.equals(member.node()));
        return new Departure(member, note.map(DepartureNote::kind), by.map(this::instanceId));
    }

    private String instanceId(String node) {
        Stream<Incarnation> known =
                Stream.concat(store.members().stream().map(Member::incarnation), earlierMembers().stream());
        return known.filter(one -> one.node().equals(node))
                .findFirst()
                .map(Incarnation::instanceId)
                .orElse(node);
    }

    /** Shortens a list of clauses; the history entry has all names. */
    private static Stream<String> shortened(Stream<String> clauses, String verb) {
        List<String> all = clauses.toList();
        int more = all.size() - NAMED_IN_CAUSE;
        return more <= 0
                ? all.stream()
                : Stream.concat(all.stream().limit(NAMED_IN_CAUSE), Stream.of("and " + more + " more " + verb));
    }

    private static String named(List<String> names) {
        int more = names.size() - NAMED_IN_CAUSE;
        return String.join(", ", names.subList(0, Math.min(NAMED_IN_CAUSE, names.size())))
                + (more > 0 ? " and " + more + " more" : "");
    }

    private String cause(List<Incarnation> next, long number) {
        List<String> parts = new ArrayList<>();
        shortened(joined(next).stream().map(member -> member.instanceId() + " joined"), "joined")
                .forEach(parts::add);
        shortened(left(next).stream().map(Departure::sentence), "left").forEach(parts::add);
        if (!missing.isEmpty()) {
            parts.add(named(missing.stream().map(NextView::blame).toList())
                    + " left out: no acknowledgement within the settle timeout");
        }
        shortened(
                        unreadableNewcomers.stream()
                                .map(member -> "node " + member.node() + " left out: its record cannot be read"),
                        "left out")
                .forEach(parts::add);
        store.view()
                .filter(view -> view.number() + 1 < number)
                .ifPresent(view -> parts.add("the store had gone back to view " + view.number()));
        return parts.isEmpty() ? "a member had declared the view void" : String.join("; ", parts);
    }
}
