// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.base.DiscoveryInstance;
import org.apache.sling.discovery.base.environment.Execution;
import org.apache.sling.discovery.base.environment.InstanceIdentity;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;
import org.apache.sling.discovery.zk.ZooKeeperStore;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;

/** An instance in this process that records the types of its events. */
final class PlainMember implements AutoCloseable {

    private final Execution execution;
    private final DiscoveryInstance instance;
    private final List<TopologyEvent> events = new CopyOnWriteArrayList<>();

    PlainMember(String id, String connectString, int sessionTimeoutMillis) {
        this(id, ZooKeeperStoreConfig.of(connectString).withSessionTimeout(sessionTimeoutMillis));
    }

    /** Makes a member of another cluster than the default one. */
    PlainMember(String id, String connectString, String cluster, int sessionTimeoutMillis) {
        this(
                id,
                ZooKeeperStoreConfig.of(connectString)
                        .withClusterName(cluster)
                        .withSessionTimeout(sessionTimeoutMillis));
    }

    private PlainMember(String id, ZooKeeperStoreConfig config) {
        execution = Execution.ofThreads(id);
        instance = new DiscoveryInstance(
                InstanceIdentity.ofThisProcess(id, Time.SYSTEM),
                new ZooKeeperStore(config),
                () -> SettlingPolicy.DEFAULT,
                execution);
        instance.addListener(events::add);
    }

    void start() {
        instance.start();
    }

    List<TopologyEvent.Type> events() {
        return events.stream().map(TopologyEvent::getType).toList();
    }

    /** Says whether its listener has received the view that it shows, which happens a moment later. */
    boolean hasReceivedAll() {
        List<TopologyEvent> received = List.copyOf(events);
        return !received.isEmpty() && received.get(received.size() - 1).getNewView() == instance.getTopology();
    }

    /** Returns the ids of the members in order, empty while no view is current. */
    List<String> order() {
        TopologyView view = instance.getTopology();
        return view.isCurrent()
                ? view.getLocalInstance().getClusterView().getInstances().stream()
                        .map(InstanceDescription::getSlingId)
                        .toList()
                : List.of();
    }

    TopologyReport report() {
        return instance.report();
    }

    /** Reads the history of the cluster, and returns it. */
    History history() {
        instance.readHistory().toCompletableFuture().join();
        return report().history();
    }

    @Override
    public void close() {
        instance.close();
        execution.close();
    }
}
