// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.connectors;

import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.base.DiscoveryInstance;
import org.apache.sling.discovery.base.environment.Execution;
import org.apache.sling.discovery.base.environment.InstanceIdentity;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.commons.report.ConnectorReport;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;
import org.apache.sling.discovery.it.connectors.SlingInstance.Known;
import org.apache.sling.discovery.it.outside.Limit;
import org.apache.sling.discovery.it.outside.Peer;
import org.apache.sling.discovery.it.outside.Server;
import org.apache.sling.discovery.zk.ZooKeeperStore;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;

/** An instance of this project with connectors, in this process and without a container. Its endpoint is in a server of the JDK. */
final class OurInstance implements AutoCloseable {

    private final String id;
    private final Execution execution;
    private final DiscoveryInstance instance;
    private final EndpointServer server;

    private OurInstance(String root, String cluster, String id) {
        this.id = id;
        execution = Execution.ofThreads(id);
        instance = new DiscoveryInstance(
                InstanceIdentity.ofThisProcess(id, Time.SYSTEM),
                new ZooKeeperStore(ZooKeeperStoreConfig.of(Server.address())
                        .withRootPath(root)
                        .withClusterName(cluster)
                        .withSessionTimeout(Peer.SESSION_MILLIS)),
                () -> SettlingPolicy.DEFAULT,
                execution);
        server = new EndpointServer(instance);
    }

    /** Makes an instance that has not joined its cluster. Clusters with different roots do not see each other. */
    static OurInstance of(String root, String cluster, String id) {
        return new OurInstance("/" + root, cluster, id);
    }

    /** Makes an instance that has joined its cluster. */
    static OurInstance join(String root, String cluster, String id) {
        OurInstance instance = of(root, cluster, id);
        instance.join();
        return instance;
    }

    /** Joins the cluster and waits until it has. */
    void join() {
        instance.start();
        Limit.await(id + " to join").until(() -> instance.getTopology().isCurrent());
    }

    String id() {
        return id;
    }

    /** Returns the URL that peers configure. */
    String url() {
        return server.url();
    }

    /** Returns how many PUT requests have arrived. */
    int puts() {
        return server.puts();
    }

    /** Replaces the connectors. */
    void connect(OurSettings settings) {
        instance.connectors().connect(settings.settings());
    }

    /** Publishes properties. */
    void offer(Map<String, String> properties) {
        instance.addPropertyProvider(properties::get, properties.keySet().toArray(String[]::new));
    }

    /** Returns the id of the own cluster. */
    String clusterId() {
        return ownCluster(instance.getTopology()).getId();
    }

    /** Returns the members of the own cluster as other clusters shall know them. */
    List<Known> own() {
        return known(ownCluster(instance.getTopology()));
    }

    /** Returns the instances of other clusters, cluster by cluster, in their order. */
    List<Known> known() {
        TopologyView view = instance.getTopology();
        return view.getClusterViews().stream()
                .filter(cluster -> !cluster.equals(ownCluster(view)))
                .flatMap(cluster -> known(cluster).stream())
                .toList();
    }

    /** Returns the ids of the instances of other clusters. */
    List<String> knownIds() {
        return known().stream().map(Known::id).toList();
    }

    private static List<Known> known(ClusterView cluster) {
        return cluster.getInstances().stream()
                .map(each -> new Known(each.getSlingId(), cluster.getId(), each.isLeader(), each.getProperties()))
                .toList();
    }

    private static ClusterView ownCluster(TopologyView view) {
        InstanceDescription local = view.getLocalInstance();
        return local.getClusterView();
    }

    /** Returns the state of the connectors. */
    ConnectorReport report() {
        return instance.connectors().report();
    }

    /** Returns the only connector that this instance opens. */
    ConnectorReport.Outgoing connector() {
        List<ConnectorReport.Outgoing> all = report().outgoing();
        if (all.size() != 1) {
            throw new AssertionError("not one connector: " + all);
        }
        return all.get(0);
    }

    /** Leaves the cluster in order, which closes all connectors. */
    @Override
    public void close() {
        instance.close();
        execution.close();
        server.close();
    }
}
