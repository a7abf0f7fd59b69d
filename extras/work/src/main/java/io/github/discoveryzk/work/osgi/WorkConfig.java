// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.osgi;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** The configuration for editors. */
@ObjectClassDefinition(
        name = "Discovery: work that has one place",
        description =
                "When keys are handed over between members. A value that cannot be used is reported on the topology"
                        + " page and in the log, and its default is used instead.")
@interface WorkConfig {

    long MAX_DELAY_MILLIS = 86_400_000;

    @AttributeDefinition(
            name = "Balance delay (ms)",
            description =
                    "For how long the members must have been the same before keys are handed over only for a balance."
                            + " Set it longer than a container takes to restart. Keys without an owner are given away"
                            + " immediately.",
            min = "0",
            max = "" + MAX_DELAY_MILLIS)
    long balanceDelayMillis() default 30_000;
}
