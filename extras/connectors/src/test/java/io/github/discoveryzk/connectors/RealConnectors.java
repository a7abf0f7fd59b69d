// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors;

import io.github.discoveryzk.base.DiscoveryInstance;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.base.simulation.SimulatedConnectors;
import io.github.discoveryzk.connectors.wire.Announcement;
import io.github.discoveryzk.connectors.wire.AnnouncementCodec;
import io.github.discoveryzk.connectors.wire.Message;
import io.github.discoveryzk.connectors.wire.WireLimits;
import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.RemoteCluster.RemoteInstance;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The connectors of this module in simulated histories: they read, delay and keep what others share, and open none. */
public final class RealConnectors implements SimulatedConnectors {
    static final AtomicInteger ANNOUNCED = new AtomicInteger();

    @Override
    public void attach(DiscoveryInstance instance, Time time) {
        new InstanceConnectors(instance.local(), time);
    }

    @Override
    public Map<String, Bytes> announced(String cluster, List<String> instances, String property) {
        ANNOUNCED.incrementAndGet();
        String owner = instances.get(0);
        List<RemoteInstance> all = instances.stream()
                .map(each -> new RemoteInstance(each, Map.of("p", property)))
                .toList();
        Message message = Message.of(Announcement.of(owner, new RemoteCluster(cluster, all, owner)), 0);
        return Map.of(owner, Bytes.of(new AnnouncementCodec(WireLimits.DEFAULT).pack(message), 0));
    }
}
