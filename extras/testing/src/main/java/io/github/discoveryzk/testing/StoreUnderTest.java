// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing;

import io.github.discoveryzk.spi.ClusterStore;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;

/**
 * What the contracts need from a back end beyond its store: time and faults. Each test uses its own object, on the thread of
 * the test.
 */
public interface StoreUnderTest {

    /** Returns a new, unopened store of the cluster of this test. The contract closes it. */
    ClusterStore newStore();

    /** Returns when the condition holds; fails when it does not within a generous time. */
    void await(BooleanSupplier condition);

    /** Makes the servers end the session of this store while it is connected. */
    void expire(ClusterStore store);

    /** Interrupts the connection of this store until {@link #restore}, so that the store notices. */
    void interrupt(ClusterStore store);

    /** Lets the store connect again; the session has not ended yet. */
    void restore(ClusterStore store);

    /** Returns how many history entries are stored; empty where that is unknown. */
    default OptionalInt historySize() {
        return OptionalInt.empty();
    }

    /** Overwrites the stored view with unreadable data; returns false where that is not possible. */
    default boolean spoilView() {
        return false;
    }

    /**
     * Overwrites a history entry with unreadable data; returns what the problem must name, empty where that is not possible.
     */
    default Optional<String> spoilHistory(long number) {
        return Optional.empty();
    }

    /** Returns a text that the paths of all nodes of this test's cluster contain, and no others that the store shows. */
    default String clusterPath() {
        return "";
    }

    /** Removes everything stored for the cluster, while no store is open; returns false where that is not possible. */
    default boolean deleteEverything() {
        return false;
    }
}
