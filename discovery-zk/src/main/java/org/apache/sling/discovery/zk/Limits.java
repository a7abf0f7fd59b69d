// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

/** The defaults and bounds of what can be configured. */
final class Limits {
    static final String DEFAULT_CONNECT_STRING = "127.0.0.1:2181";
    static final String DEFAULT_ROOT_PATH = "/sling/discovery";
    static final String DEFAULT_CLUSTER_NAME = "default";

    static final int DEFAULT_SESSION_MILLIS = 10_000;
    static final int MIN_SESSION_MILLIS = 100;
    static final int MAX_SESSION_MILLIS = 600_000;

    static final long DEFAULT_SETTLE_MILLIS = 30_000;
    static final long MIN_SETTLE_MILLIS = MIN_SESSION_MILLIS;
    static final long MAX_SETTLE_MILLIS = 86_400_000;

    static final long DEFAULT_QUIET_MILLIS = 0;
    static final long MAX_QUIET_MILLIS = 3_600_000;

    static final long DEFAULT_REGROUP_MILLIS = 2_000;
    static final long MAX_REGROUP_MILLIS = 60_000;

    static final String DEFAULT_SUSPENDED_POLICY = "LEASE";

    static final int DEFAULT_LOSSES = 5;
    static final int MAX_LOSSES = 1_000;
    static final long DEFAULT_WINDOW_MILLIS = 300_000;
    static final long MIN_WINDOW_MILLIS = 1_000;
    static final long MAX_WINDOW_MILLIS = 86_400_000;
    static final long DEFAULT_FIRST_REST_MILLIS = 10_000;
    static final long DEFAULT_MAX_REST_MILLIS = 120_000;
    static final long MIN_REST_MILLIS = 100;
    static final long MAX_REST_MILLIS = 3_600_000;

    private Limits() {}
}
