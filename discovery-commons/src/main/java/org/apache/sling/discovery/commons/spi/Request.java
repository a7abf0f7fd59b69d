// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.spi;

import java.util.Objects;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.MemberRecord;

/** One write (or, for {@link Confirm}, possibly one cheap read) that an instance asks of the store. Each is atomic. */
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

    /** Removes a member node made by this process, in this or an earlier session. Done also when it is gone already. */
    record Delete(String node) implements Request {
        public Delete {
            Objects.requireNonNull(node, "node");
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
     * Publishes the next view together with its history entry, all or nothing: refused unless the slot still has the version
     * {@code expectedVersion} and the member node {@code node} of the publisher still exists.
     */
    record Publish(EstablishedView next, int expectedVersion, String node, HistoryEntry entry) implements Request {
        public Publish {
            Objects.requireNonNull(next, "next");
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(entry, "entry");
        }
    }

    /**
     * Proves that this instance hears the store.
     *
     * @param write true for a write, which only a quorum can acknowledge; false for a read, which shows that everything the
     *     answering server knew has been told
     */
    record Confirm(boolean write) implements Request {}
}
