// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.AttributeType;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** The configuration for editors; {@link DiscoverySettings} reads it. */
@ObjectClassDefinition(
        name = "Discovery",
        description = "What this instance writes about itself, for any type of store. A value that cannot be used is"
                + " reported on the topology page and in the log, and its default is used instead.")
@interface DiscoveryConfig {

    @AttributeDefinition(
            name = "Property refresh (s)",
            description =
                    "How often property providers are called again, for values that change without their registration"
                            + " being updated; 0 for never.",
            type = AttributeType.LONG,
            min = "0",
            max = "86400")
    long propertyRefreshSeconds() default DiscoverySettings.DEFAULT_REFRESH_SECONDS;

    @AttributeDefinition(
            name = "Instances before the first INIT",
            description =
                    "How many members the cluster has at least before the listeners of this instance receive their first INIT,"
                            + " so that a cluster that is started as a whole causes no chain of events. Without effect"
                            + " afterwards.",
            type = AttributeType.INTEGER,
            min = "1",
            max = "1000")
    int minInstances() default 1;

    @AttributeDefinition(
            name = "Port for neighbours",
            description =
                    "The port at which this instance listens for the members that watch it, so that its crash is noticed as soon as"
                            + " its connections end; 0 for any. With -1 it neither listens nor watches others, and its crash is"
                            + " noticed after the session timeout.",
            type = AttributeType.INTEGER,
            min = "-1",
            max = "65535")
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
