// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What makes a view different from the previous one. With the previous view it gives the view, and its size does not grow with the
 * number of members that stay.
 *
 * @param head what the view has besides its members
 * @param removed the members of the previous view that the view does not have, in their order
 * @param joined the members that the previous view does not have, in their order
 * @param excluded all nodes that the view excludes
 * @param leader the instance id of the leader
 * @param size how many members the view has
 * @param digest a number that depends on all members of the view and their order
 */
public record ViewDifference(
        ViewHead head,
        List<Removal> removed,
        List<Incarnation> joined,
        Set<String> excluded,
        String leader,
        int size,
        long digest) {

    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    public ViewDifference {
        removed = List.copyOf(removed);
        joined = List.copyOf(joined);
        excluded = Set.copyOf(excluded);
        Objects.requireNonNull(head, "head");
        Objects.requireNonNull(leader, "leader");
        if (size < 1) {
            throw new IllegalArgumentException("view " + head.number() + " has no members");
        }
    }

    /**
     * A member of the previous view that the view does not have.
     *
     * @param position its position in the previous view, counted from 0
     */
    public record Removal(int position, Incarnation member) {
        public Removal {
            Objects.requireNonNull(member, "member");
            if (position < 0) {
                throw new IllegalArgumentException("the position of " + member + " is " + position);
            }
        }
    }

    /** Returns the difference between a view and the one before; empty stands for a view without members. */
    public static ViewDifference between(Optional<EstablishedView> before, EstablishedView view) {
        List<Incarnation> earlier = before.map(EstablishedView::members).orElse(List.of());
        Set<Incarnation> stayOrJoin = new HashSet<>(view.members());
        Set<Incarnation> stayOrLeave = new HashSet<>(earlier);
        return new ViewDifference(
                view.head(),
                IntStream.range(0, earlier.size())
                        .filter(position -> !stayOrJoin.contains(earlier.get(position)))
                        .mapToObj(position -> new Removal(position, earlier.get(position)))
                        .toList(),
                view.members().stream()
                        .filter(member -> !stayOrLeave.contains(member))
                        .toList(),
                view.excluded(),
                view.leader().instanceId(),
                view.members().size(),
                digest(view.members()));
    }

    public long number() {
        return head.number();
    }

    public long previous() {
        return head.previous();
    }

    /** Returns the view that follows that one by this difference; empty when this is not a difference from that view. */
    public Optional<EstablishedView> applyTo(EstablishedView before) {
        return before.number() != head.previous()
                ? Optional.empty()
                : applyTo(before.members()).map(members -> new EstablishedView(head, members, excluded));
    }

    /** Returns the members of the view, made from those of the previous view; empty when those were others. */
    public Optional<List<Incarnation>> applyTo(List<Incarnation> before) {
        List<Incarnation> members = new ArrayList<>(before);
        for (int i = removed.size() - 1; i >= 0; i--) {
            Removal gone = removed.get(i);
            if (gone.position() >= members.size()
                    || !members.remove(gone.position()).equals(gone.member())) {
                return Optional.empty();
            }
        }
        members.addAll(joined);
        return hasMembers(members) ? Optional.of(members) : Optional.empty();
    }

    /** Returns the members of the previous view, made from those of the view; empty when those are others. */
    public Optional<List<Incarnation>> undo(List<Incarnation> members) {
        if (!hasMembers(members) || joined.size() > members.size()) {
            return Optional.empty();
        }
        List<Incarnation> before = new ArrayList<>(members.subList(0, members.size() - joined.size()));
        for (Removal gone : removed) {
            if (gone.position() > before.size()) {
                return Optional.empty();
            }
            before.add(gone.position(), gone.member());
        }
        return Optional.of(before);
    }

    /** Says whether the view has these members in this order. */
    public boolean hasMembers(List<Incarnation> members) {
        return members.size() == size && digest(members) == digest;
    }

    /** Java defines the hash codes of strings, so all instances compute the same number. */
    private static long digest(List<Incarnation> members) {
        long digest = 0;
        for (Incarnation member : members) {
            digest = (digest * FACTOR + member.node().hashCode()) * FACTOR
                    + member.instanceId().hashCode();
        }
        return digest;
    }
}
