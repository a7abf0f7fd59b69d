// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.settle;

import java.util.Objects;

/**
 * How long the settling of a change waits for whom. All times are monotonic milliseconds.
 *
 * @param settleTimeoutMillis how long a live member may take to acknowledge before it is left out; never used below the
 *     longest session timeout of the members, because only after that time an unresponsive member is sure to have noticed the
 *     change or to have lost its lease
 * @param quietMillis how long the membership must have been unchanged before the next view is published; 0 for at once
 * @param stepInMillis how much later each next member in the order does the coordinator's work if the ones before it do not
 * @param suspended what a lost connection means while the session may live on
 */
public record SettlingPolicy(long settleTimeoutMillis, long quietMillis, long stepInMillis, SuspendedPolicy suspended) {

    /** Settle timeout 30 s, no quiet period, the next coordinator steps in after a second, suspended until the lease ends. */
    public static final SettlingPolicy DEFAULT = new SettlingPolicy(30_000, 0, 1_000, SuspendedPolicy.LEASE);

    public SettlingPolicy {
        Objects.requireNonNull(suspended, "suspended");
        if (settleTimeoutMillis <= 0 || quietMillis < 0 || stepInMillis <= 0) {
            throw new IllegalArgumentException(
                    "settle timeout and step-in must be positive, quiet period not negative: " + settleTimeoutMillis
                            + ", " + stepInMillis + ", " + quietMillis);
        }
    }

    /** What a lost connection means while the session may live on. */
    public enum SuspendedPolicy {
        /** Nothing, until the lease ends. */
        LEASE,
        /** The view is not current at once. */
        STRICT
    }
}
