// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state of one instance with its reason.
 *
 * @param state by name
 * @param reason why, as a clause without a subject, such as "left because its session ended"; empty when there is nothing to explain
 * @param listener the listeners that the instance waits for, each with its bundle where that is known; empty when there are
 *     none or the instance has not named them yet
 * @param sinceMillis since when, in wall-clock milliseconds since 1970; empty when this instance does not know
 */
public record InstanceStatus(InstanceState state, String reason, Optional<String> listener, OptionalLong sinceMillis) {

    public InstanceStatus {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(listener, "listener");
        Objects.requireNonNull(sinceMillis, "sinceMillis");
    }

    /** Makes a status of which the time is known. */
    public static InstanceStatus of(InstanceState state, String reason, long sinceMillis) {
        return new InstanceStatus(state, reason, Optional.empty(), OptionalLong.of(sinceMillis));
    }
}
