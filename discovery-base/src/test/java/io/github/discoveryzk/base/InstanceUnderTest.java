// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import io.github.discoveryzk.base.dispatch.Deadline;
import io.github.discoveryzk.base.dispatch.RunningCalls;
import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.base.environment.InstanceIdentity;
import io.github.discoveryzk.base.protocol.Facts.Suspect;
import io.github.discoveryzk.base.protocol.Protocol;
import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.spi.SettlingPolicy;
import java.util.Set;
import java.util.function.Supplier;

/** Instances with a protocol of the test. */
public final class InstanceUnderTest {

    private InstanceUnderTest() {}

    /** Returns an instance that follows the given protocol; the other parameters are those of the constructor. */
    public static DiscoveryInstance following(
            Protocol protocol,
            InstanceIdentity identity,
            ClusterStore store,
            Supplier<SettlingPolicy> policy,
            Execution execution) {
        return new DiscoveryInstance(identity, store, policy, execution, protocol, new RunningCalls());
    }

    /** Replaces the members whose processes seem to have ended. */
    public static void suspect(DiscoveryInstance instance, Set<Suspect> suspects) {
        instance.engine.suspect(Set.copyOf(suspects));
    }

    /** Closes an instance within a time that the test defines. */
    public static void close(DiscoveryInstance instance, Deadline deadline) {
        instance.close(deadline);
    }
}
