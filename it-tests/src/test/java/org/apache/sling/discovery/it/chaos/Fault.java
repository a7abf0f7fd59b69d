// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A disturbance of the processes of a run, which is ended again. Faults with different targets can be combined. Targets are
 * counted from 0.
 */
sealed interface Fault permits NodeFault, ServerFault, OperatorFault, ApplicationFault, StoreFault {

    /** Begins the disturbance, and returns its end. */
    End begin(Fleet fleet) throws Exception;

    /** Returns how long it lasts at least. */
    default Duration hold() {
        return Duration.ZERO;
    }

    /** Returns the types of the events that it may cause. */
    default Set<String> mayCause() {
        return Recording.Received.TYPES;
    }

    /** Whether it writes below the root of discovery. */
    default boolean isForeign() {
        return false;
    }

    /** Whether it excludes other faults at the same time. */
    default boolean isAlone() {
        return false;
    }

    /** Returns the affected containers. */
    default List<Integer> nodes() {
        return List.of();
    }

    /** Returns its name in the report. */
    default String kind() {
        return getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }

    /** The end of a disturbance. */
    @FunctionalInterface
    interface End {
        void run() throws Exception;
    }
}
