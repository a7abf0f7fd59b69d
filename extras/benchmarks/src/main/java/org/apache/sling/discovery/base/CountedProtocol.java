// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import org.apache.sling.discovery.base.connector.client.Transport;
import org.apache.sling.discovery.base.dispatch.RunningCalls;
import org.apache.sling.discovery.base.environment.Execution;
import org.apache.sling.discovery.base.environment.InstanceIdentity;
import org.apache.sling.discovery.base.protocol.Protocol;
import org.apache.sling.discovery.commons.spi.ClusterStore;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;

/** Assembles instances whose evaluations of the protocol are counted. It is in this package because that constructor is. */
public final class CountedProtocol {

    private CountedProtocol() {}

    /**
     * Returns an instance with the default policy.
     *
     * @param evaluated called before each evaluation, on the thread of the decisions
     */
    public static DiscoveryInstance instance(
            InstanceIdentity identity, ClusterStore store, Execution execution, Runnable evaluated) {
        Protocol counted = (state, facts, policy, now) -> {
            evaluated.run();
            return Protocol.SETTLING.step(state, facts, policy, now);
        };
        return new DiscoveryInstance(
                identity,
                store,
                () -> SettlingPolicy.DEFAULT,
                execution,
                counted,
                new RunningCalls(),
                Transport::ofThreads);
    }
}
