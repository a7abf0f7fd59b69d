// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.model;

import java.util.ArrayList;
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
        List<Member> sorted = new ArrayList<>(members);
        sorted.sort(Comparator.comparingLong(Member::seniority));
        this.members = List.copyOf(sorted);
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
            Map<String, Member> all = new HashMap<>();
            for (Member member : members) {
                all.putIfAbsent(member.node(), member);
            }
            byNode = all;
        }
        return Optional.ofNullable(byNode.get(node));
    }

    List<Member> membersOf(String runtimeId) {
        if (byRuntime == null) {
            Map<String, List<Member>> all = new HashMap<>();
            for (Member member : members) {
                all.merge(member.record().process().runtimeId(), List.of(member), MemberIndex::joined);
            }
            byRuntime = all;
        }
        return byRuntime.getOrDefault(runtimeId, List.of());
    }

    boolean isInView(String node) {
        if (viewed == null) {
            Set<String> all = new HashSet<>();
            for (Incarnation member : viewMembers()) {
                all.add(member.node());
            }
            viewed = all;
        }
        return viewed.contains(node);
    }

    List<Member> survivors() {
        if (survivors == null) {
            List<Member> all = new ArrayList<>();
            for (Incarnation member : viewMembers()) {
                member(member.node()).ifPresent(all::add);
            }
            survivors = List.copyOf(all);
        }
        return survivors;
    }

    boolean isMemberGone() {
        if (memberGone == null) {
            Set<String> others =
                    unreadable.stream().map(UnreadableMember::node).collect(Collectors.toCollection(HashSet::new));
            memberGone = viewMembers().stream()
                    .map(Incarnation::node)
                    .anyMatch(node -> member(node).isEmpty() && !others.contains(node));
        }
        return memberGone;
    }

    long latestNumber() {
        if (latestNumber == null) {
            long latest = view.map(EstablishedView::number).orElse(0L);
            for (Member member : members) {
                latest = Math.max(latest, member.record().voidUpTo().orElse(0));
            }
            latestNumber = latest;
        }
        return latestNumber;
    }

    int longestSessionTimeoutMillis() {
        if (longestSession == null) {
            int longest = 0;
            for (Member member : members) {
                longest = Math.max(longest, member.record().sessionTimeoutMillis());
            }
            longestSession = longest;
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

    private List<Incarnation> viewMembers() {
        return view.map(EstablishedView::members).orElse(List.of());
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
