// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.model;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The cluster as one instance sees it in the store at one moment: always whole, never a difference to an earlier one.
 *
 * @param clusterId the persistent id of the cluster
 * @param formats the formats that this instance reads and writes
 * @param members the live member nodes that can be read, by seniority whatever order they are given in
 * @param unreadable the live member nodes whose records this instance cannot read
 * @param slot the established view
 * @param acknowledgements the acknowledgements in the store; empty unless this instance collects them
 * @param leaseProbe the last result of a lease probe over the present connection; empty before there was any
 * @param problems what in the store cannot be read or does not belong there, a sentence each: what, where, what to do
 */
public record StoreSnapshot(
        String clusterId,
        FormatRange formats,
        List<Member> members,
        List<UnreadableMember> unreadable,
        ViewSlot slot,
        Optional<Set<Acknowledgement>> acknowledgements,
        Optional<LeaseProbe> leaseProbe,
        List<String> problems) {

    /** Makes a snapshot without unreadable members, by an instance of this version. */
    public StoreSnapshot(
            String clusterId,
            List<Member> members,
            ViewSlot slot,
            Optional<Set<Acknowledgement>> acknowledgements,
            Optional<LeaseProbe> leaseProbe,
            List<String> problems) {
        this(clusterId, FormatRange.CURRENT, members, List.of(), slot, acknowledgements, leaseProbe, problems);
    }

    public StoreSnapshot {
        Objects.requireNonNull(clusterId, "clusterId");
        Objects.requireNonNull(formats, "formats");
        unreadable = List.copyOf(unreadable);
        Objects.requireNonNull(slot, "slot");
        members = members.stream()
                .sorted(Comparator.comparingLong(Member::seniority))
                .toList();
        acknowledgements = acknowledgements.map(Set::copyOf);
        Objects.requireNonNull(leaseProbe, "leaseProbe");
        problems = List.copyOf(problems);
    }

    public Optional<EstablishedView> view() {
        return slot.view();
    }

    /** Says whether a live member has that node, whether its record can be read or not. */
    public boolean isLive(String node) {
        return members.stream().anyMatch(member -> member.node().equals(node))
                || unreadable.stream().anyMatch(member -> member.node().equals(node));
    }

    /** Says whether the snapshot has an acknowledgement of that view. An acknowledgement is final, so the view is void. */
    public boolean isAcknowledged(EstablishedView view) {
        return acknowledgements.orElse(Set.of()).stream()
                .anyMatch(one -> one.number() >= view.number() && view.contains(one.node()));
    }

    /** Returns this snapshot with other acknowledgements. */
    public StoreSnapshot withAcknowledgements(Optional<Set<Acknowledgement>> others) {
        return new StoreSnapshot(clusterId, formats, members, unreadable, slot, others, leaseProbe, problems);
    }

    /** Returns this snapshot with another lease probe. */
    public StoreSnapshot withLeaseProbe(Optional<LeaseProbe> other) {
        return new StoreSnapshot(clusterId, formats, members, unreadable, slot, acknowledgements, other, problems);
    }

    /** Returns this snapshot with other members. */
    public StoreSnapshot withMembers(List<Member> readable, List<UnreadableMember> others) {
        return new StoreSnapshot(clusterId, formats, readable, others, slot, acknowledgements, leaseProbe, problems);
    }

    /** Returns this snapshot with another established view. */
    public StoreSnapshot withSlot(ViewSlot other) {
        return new StoreSnapshot(
                clusterId, formats, members, unreadable, other, acknowledgements, leaseProbe, problems);
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
     * has published a higher one because the store has gone back. 0 when there is no view.
     */
    public long latestNumber() {
        long established = slot.view().map(EstablishedView::number).orElse(0L);
        return members.stream()
                .flatMapToLong(member -> member.record().voidUpTo().stream())
                .reduce(established, Math::max);
    }

    /** Returns a node of that session with a record that cannot be read, although the owner of the session has written it. */
    public Optional<UnreadableMember> unreadableOwned(long session) {
        return unreadable.stream().filter(member -> member.session() == session).findFirst();
    }

    /**
     * Returns the node that the process with that runtime id owns through that session; the most senior one if there are two.
     */
    public Optional<Member> owned(String runtimeId, long session) {
        return members.stream()
                .filter(member -> member.isOf(runtimeId) && member.session() == session)
                .findFirst();
    }
}
