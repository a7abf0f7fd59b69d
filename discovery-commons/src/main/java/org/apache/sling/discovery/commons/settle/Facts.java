// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.settle;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Request;

/**
 * The latest an instance knows, whole and not as a difference: deciding twice on the same facts does nothing the second time.
 *
 * @param own what the instance wants to say of itself; the protocol fills in its own fields
 * @param link the connection to the store
 * @param store the last snapshot of the present session; it is old while the link is not usable
 * @param confirmations when the store was last heard
 * @param acknowledged the number of the last view whose acknowledgement by this incarnation is known to be recorded
 * @param delivering the listeners that have been told CHANGING and have not returned from it, by name
 * @param underWay the kinds of requests that have no outcome yet or must not be repeated yet
 * @param leaving whether the instance is being stopped
 * @param wallMillis wall-clock time, for display only
 */
public record Facts(
        MemberRecord own,
        Link link,
        Optional<StoreSnapshot> store,
        Confirmations confirmations,
        OptionalLong acknowledged,
        List<String> delivering,
        Set<Class<? extends Request>> underWay,
        boolean leaving,
        long wallMillis) {

    public Facts {
        Objects.requireNonNull(own, "own");
        Objects.requireNonNull(link, "link");
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(confirmations, "confirmations");
        Objects.requireNonNull(acknowledged, "acknowledged");
        delivering = List.copyOf(delivering);
        underWay = Set.copyOf(underWay);
    }

    /** Returns the own member node: made by this process and owned by the present session, never by an earlier one. */
    Optional<Member> self() {
        return store.flatMap(snapshot -> snapshot.owned(own.process().runtimeId(), link.session()));
    }

    /** Says whether every listener has returned from CHANGING. */
    boolean delivered() {
        return delivering.isEmpty();
    }

    /**
     * The connection to the store.
     *
     * @param session the id of the present session, 0 when there is none
     * @param timeoutMillis the timeout granted to it
     * @param usable whether the store can be asked and the snapshot was read after the last interruption
     */
    public record Link(long session, int timeoutMillis, boolean usable) {
        public static final Link NONE = new Link(0, 0, false);
    }

    /**
     * When the last requests that the store has answered were started, in monotonic milliseconds. What was known to the store
     * at that moment is known here now.
     *
     * @param write the last write, acknowledged by a quorum
     * @param any the last request of any kind
     */
    public record Confirmations(long write, long any) {
        /** Nothing was ever confirmed; far enough in the past, and no overflow when times are added. */
        public static final Confirmations NONE = new Confirmations(Long.MIN_VALUE / 4, Long.MIN_VALUE / 4);

        public Confirmations with(boolean isWrite, long startedAt) {
            return new Confirmations(isWrite ? Math.max(write, startedAt) : write, Math.max(any, startedAt));
        }
    }
}
