// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import io.github.discoveryzk.model.Reason;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state of one instance with its reason.
 *
 * @param state by name
 * @param why why, to be said of the instance by {@link InstanceNames#clause}; empty when there is nothing to explain
 * @param listener the listeners that the instance waits for, each with its bundle where that is known; empty when there are
 *     none or the instance has not named them yet
 * @param sinceMillis since when, in wall-clock milliseconds since 1970; empty when this instance does not know
 */
public record InstanceStatus(
        InstanceState state, List<Reason> why, Optional<String> listener, OptionalLong sinceMillis) {

    public InstanceStatus {
        why = List.copyOf(why);
    }

    /** Returns a status without listeners. */
    public static InstanceStatus of(InstanceState state, OptionalLong sinceMillis, Reason... why) {
        return new InstanceStatus(state, List.of(why), Optional.empty(), sinceMillis);
    }
}
