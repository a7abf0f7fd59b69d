// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

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
}
