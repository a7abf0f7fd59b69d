// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.base.DiscoveryInstance;
import org.apache.sling.discovery.base.environment.Execution;
import org.apache.sling.discovery.base.environment.InstanceIdentity;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.commons.leader.ViewNumber;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.spi.ClusterStore;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;
import org.apache.sling.discovery.zk.ZooKeeperStore;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;

/** An instance assembled in plain Java, as the README shows it, that records the events of its listener. */
public final class PlainInstance implements TopologyEventListener, AutoCloseable {

    private final Execution execution;
    private final DiscoveryInstance instance;
    private final List<TopologyEvent> events = new CopyOnWriteArrayList<>();

    PlainInstance(String id, String connectString) {
        this(id, ZooKeeperStoreConfig.of(connectString));
    }

    /** Makes an instance that is not started yet. */
    public PlainInstance(String id, ZooKeeperStoreConfig config) {
        this(id, config, SettlingPolicy.DEFAULT);
    }

    PlainInstance(String id, ZooKeeperStoreConfig config, SettlingPolicy policy) {
        this(id, new ZooKeeperStore(config), policy);
    }

    /** Makes an instance that is not started yet. */
    PlainInstance(String id, ClusterStore store, SettlingPolicy policy) {
        execution = Execution.ofThreads(id);
        instance =
                new DiscoveryInstance(InstanceIdentity.ofThisProcess(id, Time.SYSTEM), store, () -> policy, execution);
        instance.addListener(this);
    }

    /** Begins to join; returns at once. */
    public void start() {
        instance.start();
    }

    @Override
    public void handleTopologyEvent(TopologyEvent event) {
        events.add(event);
    }

    /** Adds a further listener. */
    public void addListener(TopologyEventListener listener) {
        instance.addListener(listener);
    }

    /** Returns the instance itself. */
    DiscoveryInstance discovery() {
        return instance;
    }

    public List<TopologyEvent> events() {
        return events;
    }

    /** Returns the ids of the members in order, empty while no view is current. */
    public List<String> order() {
        return instance.getTopology().isCurrent()
                ? instance.getTopology().getLocalInstance().getClusterView().getInstances().stream()
                        .map(InstanceDescription::getSlingId)
                        .toList()
                : List.of();
    }

    long viewNumber() {
        return ViewNumber.of(instance.getTopology()).orElse(0);
    }

    String clusterId() {
        return instance.getTopology().getLocalInstance().getClusterView().getId();
    }

    public TopologyReport report() {
        return instance.reporter().report();
    }

    /** Says whether its listener has received the view that it shows, which happens a moment later. */
    public boolean hasReceivedItsView() {
        return !events.isEmpty() && events.get(events.size() - 1).getNewView() == instance.getTopology();
    }

    @Override
    public void close() {
        instance.close();
        execution.close();
    }
}
