// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.AttributeType;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** What can be configured, for editors; {@code BackendSettings} reads it. */
@ObjectClassDefinition(
        name = "Discovery on ZooKeeper",
        description =
                "Which cluster this instance belongs to, and how changes of its membership are settled. A value that"
                        + " cannot be used is reported on the topology page and in the log, and its default is used instead.")
@interface ZooKeeperBackendConfig {

    @AttributeDefinition(
            name = "ZooKeeper servers",
            description =
                    "host:port pairs, separated by commas. A path after the last pair is put before the root path; it"
                            + " is created when it is missing.")
    String connectString() default Limits.DEFAULT_CONNECT_STRING;

    @AttributeDefinition(
            name = "Root path",
            description =
                    "The node below which discovery keeps its data. All instances of a cluster have" + " the same.")
    String rootPath() default Limits.DEFAULT_ROOT_PATH;

    @AttributeDefinition(
            name = "Cluster name",
            description = "The cluster that this instance belongs to: letters, digits, dot, underscore and minus.")
    String clusterName() default Limits.DEFAULT_CLUSTER_NAME;

    @AttributeDefinition(
            name = "Session timeout (ms)",
            description =
                    "An instance that the servers have not heard of for this time has left. The servers may grant another value;"
                            + " normally from 2 to 20 of their ticks.",
            type = AttributeType.INTEGER,
            min = "" + Limits.MIN_SESSION_MILLIS,
            max = "" + Limits.MAX_SESSION_MILLIS)
    int sessionTimeoutMillis() default Limits.DEFAULT_SESSION_MILLIS;

    @AttributeDefinition(
            name = "Settle timeout (ms)",
            description =
                    "How long a change waits for a member whose listeners have not returned, before the next view is"
                            + " published without it. Not shorter than the session timeout.",
            type = AttributeType.LONG,
            min = "" + Limits.MIN_SETTLE_MILLIS,
            max = "" + Limits.MAX_SETTLE_MILLIS)
    long settleTimeoutMillis() default Limits.DEFAULT_SETTLE_MILLIS;

    @AttributeDefinition(
            name = "Quiet period (ms)",
            description =
                    "For how long the membership must have been unchanged before the next view is published;"
                            + " 0 for immediately. It combines the starts of many instances into one change, and delays each change.",
            type = AttributeType.LONG,
            min = "0",
            max = "" + Limits.MAX_QUIET_MILLIS)
    long quietMillis() default Limits.DEFAULT_QUIET_MILLIS;

    @AttributeDefinition(
            name = "Regrouping (ms)",
            description =
                    "How long the first instances that are back after an outage, in which most sessions ended, wait for"
                            + " the other members before the next view is published; 0 for not at all. Listeners then receive one"
                            + " CHANGED instead of one for each instance that is back. No other change is delayed.",
            type = AttributeType.LONG,
            min = "0",
            max = "" + Limits.MAX_REGROUP_MILLIS)
    long regroupMillis() default Limits.DEFAULT_REGROUP_MILLIS;

    @AttributeDefinition(
            name = "When the connection is lost",
            description = "Whether the view stays current until the lease ends, so that a restart of a ZooKeeper server"
                    + " has no effect, or stops being current immediately.",
            options = {
                @Option(label = "Current until the lease ends", value = Limits.DEFAULT_SUSPENDED_POLICY),
                @Option(label = "Not current immediately", value = "STRICT")
            })
    String suspendedPolicy() default Limits.DEFAULT_SUSPENDED_POLICY;

    @AttributeDefinition(
            name = "Tolerated losses",
            description =
                    "How often this instance may lose its seniority within the window, because its session ends"
                            + " or because it is excluded or removed, before it is quarantined: it then waits before it joins again.",
            type = AttributeType.INTEGER,
            min = "0",
            max = "" + Limits.MAX_LOSSES)
    int quarantineLosses() default Limits.DEFAULT_LOSSES;

    @AttributeDefinition(
            name = "Window of the losses (ms)",
            description = "How long a loss of the seniority counts.",
            type = AttributeType.LONG,
            min = "" + Limits.MIN_WINDOW_MILLIS,
            max = "" + Limits.MAX_WINDOW_MILLIS)
    long quarantineWindowMillis() default Limits.DEFAULT_WINDOW_MILLIS;

    @AttributeDefinition(
            name = "First rest (ms)",
            description = "How long the instance waits after the first loss too many. Each further loss doubles it.",
            type = AttributeType.LONG,
            min = "" + Limits.MIN_REST_MILLIS,
            max = "" + Limits.MAX_REST_MILLIS)
    long quarantineFirstRestMillis() default Limits.DEFAULT_FIRST_REST_MILLIS;

    @AttributeDefinition(
            name = "Longest rest (ms)",
            description = "How long the instance waits at most. Not shorter than the first rest.",
            type = AttributeType.LONG,
            min = "" + Limits.MIN_REST_MILLIS,
            max = "" + Limits.MAX_REST_MILLIS)
    long quarantineLongestRestMillis() default Limits.DEFAULT_MAX_REST_MILLIS;
}
