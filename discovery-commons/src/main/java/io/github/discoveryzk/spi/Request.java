// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.spi;

import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.FormatRange;
import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.Renewal;
import io.github.discoveryzk.model.Suspicion;
import java.util.OptionalLong;
import java.util.Set;

/** One write or cheap read that an instance requests from the store. Each is atomic. */
public sealed interface Request {

    /** Returns the kind of the request, which is a class or the request itself: at most one of a kind is in flight at a time. */
    default Object kind() {
        return getClass();
    }

    /** Announces this instance: creates its member node, owned by the current session, with a unique name. */
    record Announce(MemberRecord record) implements Request {}

    /**
     * Removes a member node and writes the leave record in the same transaction, provided the established view has that
     * member; otherwise no instance needs the leave record. Done also when the node no longer exists.
     */
    record Delete(LeaveRecord leaveRecord) implements Request {
        public String node() {
            return leaveRecord.node();
        }
    }

    /**
     * Creates a suspicion, owned by the current session: overtaken when it exists, and when accused or accuser has gone. A store
     * without suspicions rejects this request.
     */
    record Suspect(Suspicion suspicion) implements Request {}

    /**
     * Removes this suspicion, and no other one, for the accused. Done also when it no longer exists. Each refutation is a kind of its own,
     * because the verdict does not wait.
     */
    record Refute(Suspicion suspicion) implements Request {
        @Override
        public Object kind() {
            return this;
        }
    }

    /** Removes this suspicion, and no other one, for the accuser, or because the accuser is gone. Done also when it no longer exists. */
    record Withdraw(Suspicion suspicion) implements Request {}

    /**
     * Removes the member node of an accused as {@link Delete} does, together with the suspicion, all or nothing: overtaken unless that
     * suspicion, by the instance that removes the node, still exists.
     */
    record Convict(LeaveRecord leaveRecord) implements Request {
        public Suspicion suspicion() {
            return new Suspicion(leaveRecord.node(), leaveRecord.by());
        }
    }

    /** Rewrites the record in this instance's own member node. */
    record Update(String node, MemberRecord record) implements Request {}

    /**
     * Records that this member acknowledges view {@code number}; replaces its earlier acknowledgement. Ends with the session,
     * like the member node.
     */
    record Acknowledge(String node, long number) implements Request {}

    /**
     * Publishes the next view together with its history entry, all or nothing: overtaken unless the slot still has the version
     * {@code expectedVersion} and the member node of the publisher still exists. The given leave records are removed, because
     * the history entry has their content.
     *
     * @param renewal names the publisher; the lease node has it after this publication, provided that it is
     *     {@link #byNextLeader}: then the publication counts as a renewal of its lease
     * @param renewals the number of renewals that the lease of the earlier leader must still have, as read by a lease probe;
     *     otherwise the publication is overtaken. Empty if that leader is known to have stopped acting
     * @param format the format in which the view is written; every member of the view reads it
     */
    record Publish(
            EstablishedView next,
            int expectedVersion,
            Renewal renewal,
            HistoryEntry entry,
            Set<LeaveRecord> heard,
            OptionalLong renewals,
            int format)
            implements Request {

        /** Creates a publication in the oldest format of this version, without an earlier leader that might act. */
        public Publish(
                EstablishedView next, int expectedVersion, String node, HistoryEntry entry, Set<LeaveRecord> heard) {
            this(
                    next,
                    expectedVersion,
                    new Renewal(node, next.sessionTimeoutMillis()),
                    entry,
                    heard,
                    OptionalLong.empty(),
                    FormatRange.CURRENT.oldest());
        }

        public Publish {
            heard = Set.copyOf(heard);
        }

        /** Returns the member node of the publisher. */
        public String node() {
            return renewal.node();
        }

        /** Says whether the publisher leads the view that it publishes. */
        public boolean byNextLeader() {
            return next.leader().node().equals(node());
        }
    }

    /**
     * Proves, by a cheap read, that this instance is up to date: everything that the replying server knew has been observed.
     */
    record Probe() implements Request {}

    /**
     * Proves what {@link Probe} proves, and makes the next snapshots contain a
     * {@link io.github.discoveryzk.model.LeaseProbe} that was read after this request was made.
     */
    record ProbeLease() implements Request {}

    /**
     * Renews the lease of a leader by a write, which only a quorum can acknowledge: overtaken unless the member node {@code node}
     * exists and the slot still has the version {@code slotVersion}. So each renewal of a lease precedes, in the order of the
     * store, the end of the node and the publication of the next view.
     *
     * @param sessionTimeoutMillis the session timeout by which this leader counts its leases, for those that wait for their end;
     *     never less than an earlier renewal by the same node has named
     */
    record Renew(String node, int slotVersion, int sessionTimeoutMillis) implements Request {

        /** Returns what the lease node has after this renewal. */
        public Renewal renewal() {
            return new Renewal(node, sessionTimeoutMillis);
        }
    }
}
