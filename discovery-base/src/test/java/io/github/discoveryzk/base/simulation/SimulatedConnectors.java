// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.simulation;

import io.github.discoveryzk.base.DiscoveryInstance;
import io.github.discoveryzk.base.PlainConnectors;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.model.Bytes;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** The connectors of simulated instances: plain ones, unless the module that plays the histories names others as a service. */
public interface SimulatedConnectors {

    /** The connectors of this module. */
    SimulatedConnectors USED = ServiceLoader.load(SimulatedConnectors.class, SimulatedConnectors.class.getClassLoader())
            .findFirst()
            .orElseGet(() -> new SimulatedConnectors() {});

    /** Attaches connectors to an instance. */
    default void attach(DiscoveryInstance instance, Time time) {
        new PlainConnectors(instance);
    }

    /** Returns what announces a cluster whose instances have the same property {@code p}; the first one leads and announces it. */
    default Map<String, Bytes> announced(String cluster, List<String> instances, String property) {
        return PlainConnectors.announced(cluster, instances, property);
    }
}
