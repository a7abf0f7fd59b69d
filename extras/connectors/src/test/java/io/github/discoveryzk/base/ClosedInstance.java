// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import io.github.discoveryzk.base.dispatch.Deadline;

/** Closes an instance on virtual time. */
public final class ClosedInstance {

    private ClosedInstance() {}

    /** Closes an instance within a time that the test defines. */
    public static void close(DiscoveryInstance instance, Deadline deadline) {
        instance.close(deadline);
    }
}
