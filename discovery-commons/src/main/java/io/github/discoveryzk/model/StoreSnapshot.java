// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The cluster as one instance sees it in the store at one moment: always whole, never a difference to an earlier one. What follows from
 * its parts is found out by each call.
 *
 * @param clusterId the persistent id of the cluster
 * @param formats the formats that this instance reads and writes
 * @param live the live member nodes
 * @param slot the established view
 * @param acknowledgements the acknowledgements in the store; empty unless this instance collects them
 * @param leaseProbe the last result of a lease probe over the present connection; empty before there was any
 * @param suspicions the suspicions in the store that members have created
 * @param problems what in the store cannot be read or does not belong there, a sentence each: what, where, what to do
 */
public record StoreSnapshot(
        String clusterId,
        FormatRange formats,
        Live live,
        ViewSlot slot,
        Optional<Set<Acknowledgement>> acknowledgements,
        Optional<LeaseProbe> leaseProbe,
        Set<Suspicion> suspicions,
        List<String> problems) {

    public StoreSnapshot {
        Objects.requireNonNull(clusterId, "clusterId");
        Objects.requireNonNull(formats, "formats");
        Objects.requireNonNull(live, "live");
        acknowledgements = acknowledgements.map(Set::copyOf);
        Objects.requireNonNull(leaseProbe, "leaseProbe");
        suspicions = Set.copyOf(suspicions);
        problems = List.copyOf(problems);
    }

    /**
     * Live member nodes.
     *
     * @param readable those that can be read, by seniority
     * @param unreadable those whose records this instance cannot read
     */
    public record Live(List<Member> readable, List<UnreadableMember> unreadable) {
        public Live {
            readable = List.copyOf(readable);
            unreadable = List.copyOf(unreadable);
        }

        /** Returns live members from nodes in any order. */
        public static Live of(List<Member> members, List<UnreadableMember> unreadable) {
            List<Member> sorted = new ArrayList<>(members);
            sorted.sort(Comparator.comparingLong(Member::seniority));
            return new Live(sorted, unreadable);
        }
    }

    /** Returns the live member nodes that can be read, by seniority. */
    public List<Member> members() {
        return live.readable();
    }

    /** Returns the live member nodes whose records this instance cannot read. */
    public List<UnreadableMember> unreadable() {
        return live.unreadable();
    }

    public Optional<EstablishedView> view() {
        return slot.view();
    }

    /** Says whether a live member has that node, whether its record can be read or not. */
    public boolean isLive(String node) {
        return member(node).isPresent()
                || unreadable().stream().anyMatch(member -> member.node().equals(node));
    }

    /** Says whether that snapshot has equal members, records included, and the same established view. */
    public boolean hasSameMembers(StoreSnapshot other) {
        return live.equals(other.live) && view().equals(other.view()) && formats.equals(other.formats);
    }

    /** Returns the nodes of all live members, whether their records can be read or not. */
    public Set<String> liveNodes() {
        Set<String> nodes = new HashSet<>();
        members().forEach(member -> nodes.add(member.node()));
        unreadable().forEach(member -> nodes.add(member.node()));
        return nodes;
    }

    /** Returns the live member with that node, if its record can be read. */
    public Optional<Member> member(String node) {
        return members().stream().filter(member -> member.node().equals(node)).findFirst();
    }

    /** Returns the live members whose nodes the process with that runtime id created, by seniority. */
    public List<Member> membersOf(String runtimeId) {
        List<Member> found = new ArrayList<>(1);
        for (Member member : members()) {
            if (member.isOf(runtimeId)) {
                found.add(member);
            }
        }
        return List.copyOf(found);
    }

    /** Says whether the established view has that node. */
    public boolean isInView(String node) {
        return view().filter(view -> view.contains(node)).isPresent();
    }

    /** Returns the live members of the established view that can be read, in its order. */
    public List<Member> survivors() {
        Map<String, Member> byNode = new HashMap<>();
        members().forEach(member -> byNode.put(member.node(), member));
        List<Member> survivors = new ArrayList<>();
        for (Incarnation member : viewMembers()) {
            Optional.ofNullable(byNode.get(member.node())).ifPresent(survivors::add);
        }
        return List.copyOf(survivors);
    }

    /** Returns the longest session timeout that a live member has written into its record, in milliseconds. */
    public int longestSessionTimeoutMillis() {
        return members().stream()
                .mapToInt(member -> member.record().sessionTimeoutMillis())
                .max()
                .orElse(0);
    }

    /** Says whether the snapshot has an acknowledgement of that view. An acknowledgement is final, so the view is invalidated. */
    public boolean isAcknowledged(EstablishedView view) {
        return acknowledgements.stream()
                .flatMap(Set::stream)
                .anyMatch(one -> one.number() >= view.number() && view.contains(one.node()));
    }

    /** Returns this snapshot with another lease probe. */
    public StoreSnapshot withLeaseProbe(Optional<LeaseProbe> other) {
        return new StoreSnapshot(clusterId, formats, live, slot, acknowledgements, other, suspicions, problems);
    }

    /** Returns this snapshot with other problems. */
    public StoreSnapshot withProblems(List<String> others) {
        return new StoreSnapshot(clusterId, formats, live, slot, acknowledgements, leaseProbe, suspicions, others);
    }

    /** Returns this snapshot with other members. */
    public StoreSnapshot withMembers(List<Member> readable, List<UnreadableMember> others) {
        Live next = Live.of(readable, others);
        return new StoreSnapshot(clusterId, formats, next, slot, acknowledgements, leaseProbe, suspicions, problems);
    }

    /** Returns this snapshot with another established view. */
    public StoreSnapshot withSlot(ViewSlot other) {
        return new StoreSnapshot(clusterId, formats, live, other, acknowledgements, leaseProbe, suspicions, problems);
    }

    /**
     * Returns the number that the next view must have: greater than that of any view known to the store or remembered by a
     * member. What members remember matters after the store was restored from an older state.
     */
    public long nextNumber() {
        return Math.max(slot.nextNumber(), latestNumber() + 1);
    }

    /**
     * Returns the number of the latest view that any member can have acted on: that of the established view, unless a member
     * has published a higher one because the store has regressed. 0 when there is no view.
     */
    public long latestNumber() {
        long latest = view().map(EstablishedView::number).orElse(0L);
        for (Member member : members()) {
            latest = Math.max(latest, member.record().invalidatedUpTo().orElse(0));
        }
        return latest;
    }

    /** Returns a node of that session with a record that cannot be read, although the owner of the session has written it. */
    public Optional<UnreadableMember> unreadableOwned(long session) {
        return unreadable().stream()
                .filter(member -> member.session() == session)
                .findFirst();
    }

    /**
     * Returns the node that the process with that runtime id owns through that session; the most senior one if there are two.
     */
    public Optional<Member> owned(String runtimeId, long session) {
        for (Member member : members()) {
            if (member.session() == session && member.isOf(runtimeId)) {
                return Optional.of(member);
            }
        }
        return Optional.empty();
    }

    private List<Incarnation> viewMembers() {
        return view().map(EstablishedView::members).orElse(List.of());
    }
}
