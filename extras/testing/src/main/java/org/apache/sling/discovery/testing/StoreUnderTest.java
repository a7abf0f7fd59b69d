// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.testing;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import org.apache.sling.discovery.commons.spi.ClusterStore;

/**
 * What the contracts need of a back end beyond its store: time, and the faults that befall it. One test uses one object of this, on
 * the thread of the test.
 */
public interface StoreUnderTest {

    /** Returns a new, unopened store of the one cluster of this test. The contract closes it. */
    ClusterStore newStore();

    /** Returns when the condition holds; fails when it does not within a generous time. */
    void await(BooleanSupplier condition);

    /** Has the store's servers end the session of this store, whose connection stands. */
    void expire(ClusterStore store);

    /** Cuts the connection of this store off until {@link #restore}, so that the store notices. */
    void interrupt(ClusterStore store);

    /** Lets the store connect again; the session has not ended yet. */
    void restore(ClusterStore store);

    /** Returns how many history entries are stored; empty where that cannot be told. */
    default OptionalInt historySize() {
        return OptionalInt.empty();
    }

    /** Overwrites the stored view with something that cannot be read; returns false where that cannot be done. */
    default boolean spoilView() {
        return false;
    }

    /** Overwrites a history entry with something that cannot be read; returns what the problem must name, empty where not possible. */
    default Optional<String> spoilHistory(long number) {
        return Optional.empty();
    }

    /** Returns what is in the paths of all nodes of the cluster of this test, and of no others that the store shows. */
    default String clusterPath() {
        return "";
    }

    /** Removes everything stored for the cluster, while no store is open; returns false where that cannot be done. */
    default boolean deleteEverything() {
        return false;
    }
}
