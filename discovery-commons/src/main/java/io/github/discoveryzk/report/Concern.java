// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

/** What a finding is about. There is a health check for each concern except {@link #OTHER}. */
public enum Concern {
    /** The connection to the store. */
    CONNECTED,
    /** The view of this instance. */
    SETTLED,
    /** The lease, by which the view is current. */
    LEASE,
    /** The instance id. */
    IDENTITY,
    /** What the store, its address, its credentials and its access rights permit. */
    ACCESS,
    /** The size of what this instance writes. */
    PAYLOAD,
    /** The topology event listeners of this instance. */
    LISTENERS,
    /** Discovery services of other bundles. */
    SECOND_SERVICE,
    /** The ZooKeeper servers in the containers. */
    SERVERS,
    /** Everything else. */
    OTHER
}
