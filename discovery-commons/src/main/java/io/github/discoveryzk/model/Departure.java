// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.Objects;
import java.util.Optional;

/**
 * How a member left the cluster.
 *
 * @param member the member that left
 * @param kind how it left; empty when its session ended
 * @param by the id of the instance that removed it, if it was another one, else empty
 * @param afterMillis how long after the end of its connection that instance removed it, else 0
 */
public record Departure(Incarnation member, Optional<LeaveRecord.Kind> kind, Optional<String> by, long afterMillis) {

    public Departure {
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(by, "by");
    }
}
