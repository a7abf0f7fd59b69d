// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import io.github.discoveryzk.it.cluster.Instances;
import io.github.discoveryzk.it.cluster.PlainInstance;
import java.util.Map;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.junit.jupiter.api.Test;

/** The servers of an ensemble are restarted one after the other, as for an update: no instance has an event. */
class RollingRestartIT {

    private static final int SIZE = 10;

    @Test
    void tenInstancesReceiveNoEvent() throws Exception {
        try (Ensemble ensemble = Ensemble.start(Fleet.folder(RollingRestartIT.class));
                Instances instances = Instances.on(ensemble.connectString(), PlainInstance.SESSION_MILLIS)) {
            instances.startAll(SIZE);
            Map<PlainInstance, Integer> before = instances.marks();
            ensemble.restartOneByOne();
            // A change in which all take part shows that all are members, and that there was no event before it.
            instances.startAll("newcomer");
            Instances.assertSince(before, Type.TOPOLOGY_CHANGING, Type.TOPOLOGY_CHANGED);
        }
    }
}
