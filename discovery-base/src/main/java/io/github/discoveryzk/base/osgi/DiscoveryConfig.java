// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.AttributeType;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** The configuration for editors; {@link DiscoverySettings} reads it. */
@ObjectClassDefinition(
        name = "Discovery",
        description =
                "What this instance writes about itself, and how changes of the membership are settled, for any type of"
                        + " store. A value that cannot be used is reported on the topology page and in the log, and its default is used instead.")
@interface DiscoveryConfig {
    long MIN_SETTLE_MILLIS = 100;
    long MAX_SETTLE_MILLIS = 86_400_000;
    long MAX_QUIET_MILLIS = 3_600_000;
    int MIN_LEASE_MILLIS = 1_000;
    int MAX_LEASE_MILLIS = 600_000;
    int MAX_LOSSES = 1_000;
    int MAX_INSTANCES = 1_000;
    long MAX_REFRESH_SECONDS = 86_400;
    int MAX_PORT = 65_535;

    @AttributeDefinition(
            name = "Settle timeout (ms)",
            description =
                    "How long a change waits for a member whose listeners have not returned, before the next view is"
                            + " published without it. Not shorter than the session timeout.",
            type = AttributeType.LONG,
            min = "" + MIN_SETTLE_MILLIS,
            max = "" + MAX_SETTLE_MILLIS)
    long settleTimeoutMillis() default 30_000;

    @AttributeDefinition(
            name = "Quiet period (ms)",
            description =
                    "For how long the membership must have been unchanged before the next view is published;"
                            + " 0 for immediately. It combines the starts of many instances into one change, and delays each change.",
            type = AttributeType.LONG,
            min = "0",
            max = "" + MAX_QUIET_MILLIS)
    long quietMillis() default 0;

    @AttributeDefinition(
            name = "When the connection is lost",
            description = "Whether the view stays current until the lease ends, so that a restart of a ZooKeeper server"
                    + " has no effect, or stops being current immediately.",
            options = {
                @Option(label = "Current until the lease ends", value = "LEASE"),
                @Option(label = "Not current immediately", value = "STRICT")
            })
    String suspendedPolicy() default "LEASE";

    @AttributeDefinition(
            name = "Lease (ms)",
            description =
                    "How long the lease of a leader is where the session timeout is longer. The successor of a leader that crashed waits"
                            + " for three quarters of it. The leader writes three times within it, and loses its lease if its connection is"
                            + " lost for two thirds of it. It applies to the next connection.",
            type = AttributeType.INTEGER,
            min = "" + MIN_LEASE_MILLIS,
            max = "" + MAX_LEASE_MILLIS)
    int leaseMillis() default MAX_LEASE_MILLIS;

    @AttributeDefinition(
            name = "Tolerated losses",
            description =
                    "How often this instance may lose its seniority within five minutes, because its session ends"
                            + " or because it is excluded or removed, before it is quarantined: it then waits before it joins again.",
            type = AttributeType.INTEGER,
            min = "0",
            max = "" + MAX_LOSSES)
    int quarantineLosses() default 5;

    @AttributeDefinition(
            name = "Property refresh (s)",
            description =
                    "How often property providers are called again, for values that change without their registration"
                            + " being updated; 0 for never.",
            type = AttributeType.LONG,
            min = "0",
            max = "" + MAX_REFRESH_SECONDS)
    long propertyRefreshSeconds() default 30;

    @AttributeDefinition(
            name = "Instances before the first INIT",
            description =
                    "How many members the cluster has at least before the listeners of this instance receive their first INIT,"
                            + " so that a cluster that is started as a whole causes no chain of events. Without effect"
                            + " afterwards.",
            type = AttributeType.INTEGER,
            min = "1",
            max = "" + MAX_INSTANCES)
    int minInstances() default 1;

    @AttributeDefinition(
            name = "Port for neighbours",
            description =
                    "The port at which this instance listens for the members that watch it, so that its crash is noticed as soon as"
                            + " its connections end; 0 for any. With -1 it neither listens nor watches others, and its crash is"
                            + " noticed after the session timeout.",
            type = AttributeType.INTEGER,
            min = "-1",
            max = "" + MAX_PORT)
    int neighbourPort() default 0;

    @AttributeDefinition(
            name = "Address for neighbours",
            description = "The IP address where it listens for them; empty for that by which it reaches the store.",
            required = false)
    String neighbourAddress() default "";

    @AttributeDefinition(
            name = "Refusal is proof",
            description =
                    "Whether a neighbour has ended for sure when it refuses connections: a successor then waits for no lease. Keep it off"
                            + " where a proxy or NAT may refuse a connection in place of the host that owns the address.")
    boolean refusalIsProof() default false;
}
