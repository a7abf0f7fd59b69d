// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.spi;

import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.FormatRange;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.MemberRecord;

/** One write or cheap read that an instance asks of the store. Each is atomic. */
public sealed interface Request {

    /** Returns what kind of request it is: at most one of a kind is under way at a time. */
    default Class<? extends Request> kind() {
        return getClass();
    }

    /** Makes a member node for this instance, owned by the current session, with a name nobody else has. */
    record Create(MemberRecord record) implements Request {
        public Create {
            Objects.requireNonNull(record, "record");
        }
    }

    /**
     * Removes a member node and leaves the departure note behind in the same transaction, provided the established view has that
     * member; otherwise nobody asks how it left. Done also when the node is gone already.
     */
    record Delete(DepartureNote note) implements Request {
        public Delete {
            Objects.requireNonNull(note, "departure note");
        }

        public String node() {
            return note.node();
        }
    }

    /** Rewrites the record in this instance's own member node. */
    record Update(String node, MemberRecord record) implements Request {
        public Update {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(record, "record");
        }
    }

    /**
     * Makes it known that this member has left view {@code number} behind; replaces its earlier acknowledgement. Ends with
     * the session, like the member node.
     */
    record Acknowledge(String node, long number) implements Request {
        public Acknowledge {
            Objects.requireNonNull(node, "node");
        }
    }

    /**
     * Publishes the next view together with its history entry, all or nothing: overtaken unless the slot still has the version
     * {@code expectedVersion} and the member node {@code node} of the publisher still exists. When the publisher leads the
     * next view this counts as a renewal of its lease. The departure notes named are removed, because they have been heard.
     *
     * @param renewals the number of renewals that the lease of the earlier leader must still have, as a lease probe told it;
     *     otherwise the publication is overtaken. Empty where that leader is known not to act any more
     * @param format the format in which the view is written: one that every member of it reads
     */
    record Publish(
            EstablishedView next,
            int expectedVersion,
            String node,
            HistoryEntry entry,
            Set<DepartureNote> heard,
            OptionalLong renewals,
            int format)
            implements Request {

        /** Makes one in the oldest format of this version, without an earlier leader that might act. */
        public Publish(
                EstablishedView next, int expectedVersion, String node, HistoryEntry entry, Set<DepartureNote> heard) {
            this(next, expectedVersion, node, entry, heard, OptionalLong.empty(), FormatRange.CURRENT.oldest());
        }

        public Publish {
            Objects.requireNonNull(renewals, "renewals");
            Objects.requireNonNull(next, "next");
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(entry, "entry");
            heard = Set.copyOf(heard);
        }

        /** Says whether the publisher leads the view that it publishes. */
        public boolean byNextLeader() {
            return next.leader().node().equals(node);
        }
    }

    /** Proves, by a cheap read, that this instance hears the store: everything the answering server knew has been told. */
    record Probe() implements Request {}

    /**
     * Proves what {@link Probe} proves, and has the next snapshots contain an {@link org.apache.sling.discovery.commons.model.LeaseProbe} that was read after this
     * request was made.
     */
    record ProbeLease() implements Request {}

    /**
     * Renews the lease of a leader by a write, which only a quorum can acknowledge: overtaken unless the member node {@code node}
     * exists and the slot still has the version {@code slotVersion}. So each renewal of a lease precedes, in the order of the
     * store, the end of the node and the publication of the next view.
     */
    record Renew(String node, int slotVersion) implements Request {
        public Renew {
            Objects.requireNonNull(node, "node");
        }
    }
}
