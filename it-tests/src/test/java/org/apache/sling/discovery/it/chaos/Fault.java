// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Something that is done to the processes of a run, and ended again. Faults with different targets can be combined. Targets are
 * counted from 0.
 */
sealed interface Fault permits NodeFault, ServerFault, OperatorFault, ApplicationFault, StoreFault {

    /** Begins the disturbance, and returns what ends it. */
    End begin(Fleet fleet) throws Exception;

    /** For how long it shall last at least. */
    default Duration hold() {
        return Duration.ZERO;
    }

    /** The types of the events that may come of it. */
    default Set<String> mayCause() {
        return Recording.Heard.TYPES;
    }

    /** Whether it writes below the root of discovery. */
    default boolean isForeign() {
        return false;
    }

    /** Whether nothing else may be done at the same time. */
    default boolean isAlone() {
        return false;
    }

    /** The containers it is done to. */
    default List<Integer> nodes() {
        return List.of();
    }

    /** How it is called in the report. */
    default String kind() {
        return getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }

    /** What ends a disturbance. */
    @FunctionalInterface
    interface End {
        void run() throws Exception;
    }
}
