// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.Objects;

/**
 * A renewal of a lease, as the leader has written it into the store.
 *
 * @param node the member node of the leader
 * @param sessionTimeoutMillis the longest timeout of its session, in milliseconds, so no earlier renewal by that node names a longer one:
 *     the leader does not count any of its leases by more
 */
public record Renewal(String node, int sessionTimeoutMillis) {

    public Renewal {
        Objects.requireNonNull(node, "node");
        if (sessionTimeoutMillis <= 0) {
            throw new IllegalArgumentException("a session timeout of " + sessionTimeoutMillis + " ms");
        }
    }
}
