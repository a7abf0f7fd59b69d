// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.model;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The cluster as one instance sees it in the store at one moment: always whole, never a difference to an earlier one. Snapshots
 * made from one another share what is equal in them, and what follows from it.
 */
public final class StoreSnapshot {

    private final String clusterId;
    private final FormatRange formats;
    private final MemberIndex index;
    private final ViewSlot slot;
    private final Optional<AcknowledgementSet> acknowledgements;
    private final Optional<LeaseProbe> leaseProbe;
    private final List<String> problems;

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

    /**
     * Makes a snapshot.
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
    public StoreSnapshot(
            String clusterId,
            FormatRange formats,
            List<Member> members,
            List<UnreadableMember> unreadable,
            ViewSlot slot,
            Optional<Set<Acknowledgement>> acknowledgements,
            Optional<LeaseProbe> leaseProbe,
            List<String> problems) {
        this(
                clusterId,
                formats,
                new MemberIndex(members, unreadable, slot.view()),
                slot,
                acknowledgements.map(AcknowledgementSet::copyOf),
                leaseProbe,
                List.copyOf(problems));
    }

    private StoreSnapshot(
            String clusterId,
            FormatRange formats,
            MemberIndex index,
            ViewSlot slot,
            Optional<AcknowledgementSet> acknowledgements,
            Optional<LeaseProbe> leaseProbe,
            List<String> problems) {
        this.clusterId = Objects.requireNonNull(clusterId, "clusterId");
        this.formats = Objects.requireNonNull(formats, "formats");
        this.index = index;
        this.slot = slot;
        this.acknowledgements = acknowledgements;
        this.leaseProbe = Objects.requireNonNull(leaseProbe, "leaseProbe");
        this.problems = problems;
    }

    /** Returns the persistent id of the cluster. */
    public String clusterId() {
        return clusterId;
    }

    /** Returns the formats that this instance reads and writes. */
    public FormatRange formats() {
        return formats;
    }

    /** Returns the live member nodes that can be read, by seniority. */
    public List<Member> members() {
        return index.members();
    }

    /** Returns the live member nodes whose records this instance cannot read. */
    public List<UnreadableMember> unreadable() {
        return index.unreadable();
    }

    public ViewSlot slot() {
        return slot;
    }

    /** Returns the acknowledgements in the store; empty unless this instance collects them. */
    public Optional<Set<Acknowledgement>> acknowledgements() {
        return acknowledgements.map(all -> all);
    }

    /** Returns the last result of a lease probe over the present connection; empty before there was any. */
    public Optional<LeaseProbe> leaseProbe() {
        return leaseProbe;
    }

    /** Returns what in the store cannot be read or does not belong there, a sentence each: what, where, what to do. */
    public List<String> problems() {
        return problems;
    }

    public Optional<EstablishedView> view() {
        return slot.view();
    }

    /** Says whether a live member has that node, whether its record can be read or not. */
    public boolean isLive(String node) {
        return member(node).isPresent()
                || unreadable().stream().anyMatch(member -> member.node().equals(node));
    }

    /** Returns the live member with that node, if its record can be read. */
    public Optional<Member> member(String node) {
        return index.member(node);
    }

    /** Returns the live members whose nodes the process with that runtime id created, by seniority. */
    public List<Member> membersOf(String runtimeId) {
        return index.membersOf(runtimeId);
    }

    /** Says whether the established view has that node. */
    public boolean isInView(String node) {
        return index.isInView(node);
    }

    /** Returns the live members of the established view that can be read, in its order. */
    public List<Member> survivors() {
        return index.survivors();
    }

    /** Says whether the node of a member of the established view is gone. */
    public boolean isMemberGone() {
        return index.isMemberGone();
    }

    /** Returns the longest session timeout that a live member has written into its record, in milliseconds. */
    public int longestSessionTimeoutMillis() {
        return index.longestSessionTimeoutMillis();
    }

    /** Returns how many acknowledgements of the view with that number the snapshot has. */
    public int acknowledgementsOf(long number) {
        return acknowledgements.map(all -> all.count(number)).orElse(0);
    }

    /** Says whether the snapshot has an acknowledgement of that view. An acknowledgement is final, so the view is void. */
    public boolean isAcknowledged(EstablishedView view) {
        return acknowledgements.filter(all -> all.reaches(view.number())).stream()
                .flatMap(Set::stream)
                .anyMatch(one -> one.number() >= view.number() && view.contains(one.node()));
    }

    /**
     * Returns what follows from the members, the view and the formats alone. It is found out once for all snapshots that share them.
     *
     * @param type the type of the result; one type is remembered
     * @param drawing finds it out from this snapshot
     */
    public <T> T conclusion(Class<T> type, Function<StoreSnapshot, T> drawing) {
        return index.conclusion(type, () -> drawing.apply(this));
    }

    /** Returns this snapshot with other acknowledgements. */
    public StoreSnapshot withAcknowledgements(Optional<? extends Set<Acknowledgement>> others) {
        return new StoreSnapshot(
                clusterId, formats, index, slot, others.map(AcknowledgementSet::copyOf), leaseProbe, problems);
    }

    /** Returns this snapshot with another lease probe. */
    public StoreSnapshot withLeaseProbe(Optional<LeaseProbe> other) {
        return new StoreSnapshot(clusterId, formats, index, slot, acknowledgements, other, problems);
    }

    /** Returns this snapshot with other problems. */
    public StoreSnapshot withProblems(List<String> others) {
        return new StoreSnapshot(clusterId, formats, index, slot, acknowledgements, leaseProbe, List.copyOf(others));
    }

    /** Returns this snapshot with other members. */
    public StoreSnapshot withMembers(List<Member> readable, List<UnreadableMember> others) {
        MemberIndex changed = new MemberIndex(readable, others, slot.view());
        return new StoreSnapshot(clusterId, formats, changed, slot, acknowledgements, leaseProbe, problems);
    }

    /** Returns this snapshot with another established view. */
    public StoreSnapshot withSlot(ViewSlot other) {
        return new StoreSnapshot(
                clusterId, formats, index.with(other.view()), other, acknowledgements, leaseProbe, problems);
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
        return index.latestNumber();
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
        for (Member member : membersOf(runtimeId)) {
            if (member.session() == session) {
                return Optional.of(member);
            }
        }
        return Optional.empty();
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof StoreSnapshot seen
                        && clusterId.equals(seen.clusterId)
                        && formats.equals(seen.formats)
                        && index.equals(seen.index)
                        && slot.equals(seen.slot)
                        && acknowledgements.equals(seen.acknowledgements)
                        && leaseProbe.equals(seen.leaseProbe)
                        && problems.equals(seen.problems);
    }

    @Override
    public int hashCode() {
        return Objects.hash(clusterId, formats, index, slot, acknowledgements, leaseProbe, problems);
    }

    @Override
    public String toString() {
        return "cluster " + clusterId + ", members " + members() + ", unreadable " + unreadable() + ", " + slot
                + ", acknowledgements " + acknowledgements + ", " + leaseProbe + ", problems " + problems;
    }
}
