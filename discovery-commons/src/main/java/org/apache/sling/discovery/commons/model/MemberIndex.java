// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.model;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The live members and the established view of a snapshot, with what follows from them alone. Each conclusion is drawn when it is first
 * needed. Snapshots that differ in other things share one index, so that an acknowledgement costs no search. Immutable as far as any
 * caller can see: a conclusion that two threads draw at the same time is the same.
 */
final class MemberIndex {

    private final List<Member> members;
    private final List<UnreadableMember> unreadable;
    private final Optional<EstablishedView> view;

    private volatile Map<String, Member> byNode;
    private volatile Map<String, List<Member>> byRuntime;
    private volatile Set<String> viewed;
    private volatile List<Member> survivors;
    private volatile Long latestNumber;
    private volatile Integer longestSession;
    private volatile Boolean memberGone;
    private volatile Object conclusion;

    MemberIndex(List<Member> members, List<UnreadableMember> unreadable, Optional<EstablishedView> view) {
        this.members = List.copyOf(members.stream()
                .sorted(Comparator.comparingLong(Member::seniority))
                .toList());
        this.unreadable = List.copyOf(unreadable);
        this.view = view;
    }

    private MemberIndex(MemberIndex same, Optional<EstablishedView> other) {
        this.members = same.members;
        this.unreadable = same.unreadable;
        this.view = other;
        this.byNode = same.byNode;
        this.byRuntime = same.byRuntime;
        this.longestSession = same.longestSession;
    }

    List<Member> members() {
        return members;
    }

    List<UnreadableMember> unreadable() {
        return unreadable;
    }

    Optional<Member> member(String node) {
        if (byNode == null) {
            byNode = members.stream().collect(Collectors.toMap(Member::node, member -> member, (one, same) -> one));
        }
        return Optional.ofNullable(byNode.get(node));
    }

    List<Member> membersOf(String runtimeId) {
        if (byRuntime == null) {
            Map<String, List<Member>> all = new HashMap<>();
            members.forEach(
                    member -> all.merge(member.record().process().runtimeId(), List.of(member), MemberIndex::joined));
            byRuntime = all;
        }
        return byRuntime.getOrDefault(runtimeId, List.of());
    }

    boolean isInView(String node) {
        if (viewed == null) {
            viewed = viewMembers().map(Incarnation::node).collect(Collectors.toCollection(HashSet::new));
        }
        return viewed.contains(node);
    }

    List<Member> survivors() {
        if (survivors == null) {
            survivors = List.copyOf(viewMembers()
                    .flatMap(member -> member(member.node()).stream())
                    .toList());
        }
        return survivors;
    }

    boolean isMemberGone() {
        if (memberGone == null) {
            Set<String> others =
                    unreadable.stream().map(UnreadableMember::node).collect(Collectors.toCollection(HashSet::new));
            memberGone = viewMembers()
                    .map(Incarnation::node)
                    .anyMatch(node -> member(node).isEmpty() && !others.contains(node));
        }
        return memberGone;
    }

    long latestNumber() {
        if (latestNumber == null) {
            latestNumber = members.stream()
                    .flatMapToLong(member -> member.record().voidUpTo().stream())
                    .reduce(view.map(EstablishedView::number).orElse(0L), Math::max);
        }
        return latestNumber;
    }

    int longestSessionTimeoutMillis() {
        if (longestSession == null) {
            longestSession = members.stream()
                    .mapToInt(member -> member.record().sessionTimeoutMillis())
                    .reduce(0, Math::max);
        }
        return longestSession;
    }

    <T> T conclusion(Class<T> type, Supplier<T> drawn) {
        Object known = conclusion;
        if (!type.isInstance(known)) {
            known = drawn.get();
            conclusion = known;
        }
        return type.cast(known);
    }

    /** Returns this index for another view. */
    MemberIndex with(Optional<EstablishedView> other) {
        // The same object, because the comparison of all members would cost what the index saves.
        boolean same = view.orElse(null) == other.orElse(null);
        return same ? this : new MemberIndex(this, other);
    }

    private static List<Member> joined(List<Member> some, List<Member> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    private Stream<Incarnation> viewMembers() {
        return view.stream().flatMap(each -> each.members().stream());
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof MemberIndex index
                        && members.equals(index.members)
                        && unreadable.equals(index.unreadable)
                        && view.equals(index.view);
    }

    @Override
    public int hashCode() {
        return Objects.hash(members, unreadable, view);
    }
}
