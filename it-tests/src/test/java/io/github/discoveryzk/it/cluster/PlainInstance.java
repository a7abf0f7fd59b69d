// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import io.github.discoveryzk.base.DiscoveryInstance;
import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.base.environment.InstanceIdentity;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.connectors.InstanceConnectors;
import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.it.outside.Server;
import io.github.discoveryzk.leader.ViewNumber;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.zk.ZooKeeperStore;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.awaitility.core.ConditionTimeoutException;

/**
 * An instance assembled in plain Java, as the README shows it, that records the events of its listener. Tests inside a container share
 * this class with the tests outside; they call only methods with types of the JDK.
 */
public final class PlainInstance implements AutoCloseable {

    /** Long enough that a busy machine ends no session; no test of a container waits for the end of one. */
    public static final int SESSION_MILLIS = 10_000;

    private final String id;
    private final Execution execution;
    private final DiscoveryInstance instance;
    private final InstanceConnectors connectors;
    private final List<TopologyEvent> events = new CopyOnWriteArrayList<>();
    private EndpointServer endpoint;

    /** Makes an instance that is not started yet. */
    public PlainInstance(String id, ZooKeeperStoreConfig config) {
        this(id, config, SettlingPolicy.DEFAULT);
    }

    PlainInstance(String id, ZooKeeperStoreConfig config, SettlingPolicy policy) {
        this(id, new ZooKeeperStore(config), policy);
    }

    PlainInstance(String id, ClusterStore store, SettlingPolicy policy) {
        this.id = id;
        execution = Execution.ofThreads(id);
        instance =
                new DiscoveryInstance(InstanceIdentity.ofThisProcess(id, Time.SYSTEM), store, () -> policy, execution);
        connectors = new InstanceConnectors(instance.local(), Time.SYSTEM);
        instance.addListener(events::add);
    }

    /** Makes a member of a cluster on the server of all containers, and waits until it holds a view. */
    public static PlainInstance join(String cluster, String id) {
        return join(cluster, id, SESSION_MILLIS, SettlingPolicy.DEFAULT.settleTimeoutMillis());
    }

    /** Makes such a member with these timeouts. */
    public static PlainInstance join(String cluster, String id, int sessionTimeoutMillis, long settleMillis) {
        SettlingPolicy policy = new SettlingPolicy(
                settleMillis, 0, SettlingPolicy.DEFAULT.stepInMillis(), SettlingPolicy.DEFAULT.suspended());
        ZooKeeperStoreConfig config = ZooKeeperStoreConfig.of(Server.address()).withClusterName(cluster);
        return new PlainInstance(id, config.withSessionTimeout(sessionTimeoutMillis), policy).join();
    }

    /**
     * Is a member until the process is ended.
     *
     * @param arguments the id, the connect string, and the session timeout in milliseconds
     */
    public static void main(String[] arguments) throws IOException {
        ZooKeeperStoreConfig config =
                ZooKeeperStoreConfig.of(arguments[1]).withSessionTimeout(Integer.parseInt(arguments[2]));
        PlainInstance instance = new PlainInstance(arguments[0], config).join();
        // It ends with its parent process, however that ends.
        System.in.transferTo(OutputStream.nullOutputStream());
        instance.close();
    }

    /** Begins to join; returns immediately. */
    public void start() {
        instance.start();
    }

    /** Joins and waits until it holds a view. */
    public PlainInstance join() {
        start();
        try {
            Limit.await(id + " to join").until(this::isCurrent);
            return this;
        } catch (ConditionTimeoutException e) {
            String sentence = report().sentence();
            close();
            throw new AssertionError(id + ": " + sentence, e);
        } catch (RuntimeException | Error e) { // Waiting fails with what another thread has not caught.
            close();
            throw e;
        }
    }

    /** Adds a further listener. */
    public void addListener(TopologyEventListener listener) {
        instance.addListener(listener);
    }

    /** Publishes a property. */
    public void offer(String name, String value) {
        instance.addPropertyProvider(asked -> value, name);
    }

    /** Returns the instance itself. */
    public DiscoveryInstance discovery() {
        return instance;
    }

    /** Returns its connectors. */
    public InstanceConnectors connectors() {
        return connectors;
    }

    /** Returns the events of its listener. */
    public List<TopologyEvent> events() {
        return events;
    }

    /** Returns the types of the events of its listener. */
    public List<String> types() {
        return events.stream().map(event -> event.getType().name()).toList();
    }

    /** Returns the types of the events after the given number of events. */
    List<String> types(int from) {
        List<String> all = types();
        return all.subList(from, all.size());
    }

    public String id() {
        return id;
    }

    public boolean isCurrent() {
        return instance.getTopology().isCurrent();
    }

    /** Returns the ids of the members in order, empty while no view is current. */
    public List<String> order() {
        TopologyView view = instance.getTopology();
        return view.isCurrent() ? ids(view) : List.of();
    }

    /** Returns the ids of the members of the last view, in order. */
    public List<String> members() {
        return ids(instance.getTopology());
    }

    private static List<String> ids(TopologyView view) {
        return localCluster(view).getInstances().stream()
                .map(InstanceDescription::getSlingId)
                .toList();
    }

    private static ClusterView localCluster(TopologyView view) {
        return view.getLocalInstance().getClusterView();
    }

    /** Returns the local cluster as it is shown. */
    public ClusterView cluster() {
        return localCluster(instance.getTopology());
    }

    public String clusterId() {
        return cluster().getId();
    }

    /** Returns the properties of an instance of the topology; empty for an unknown one. */
    public Map<String, String> properties(String of) {
        return instance.getTopology().getInstances().stream()
                .filter(each -> each.getSlingId().equals(of))
                .findFirst()
                .map(InstanceDescription::getProperties)
                .orElse(Map.of());
    }

    long viewNumber() {
        return ViewNumber.of(instance.getTopology()).orElse(0);
    }

    public TopologyReport report() {
        return instance.reporter().report();
    }

    /** Returns the cause of its present view. */
    public String cause() {
        return report().view()
                .map(view -> Reason.sentence(view.established().cause()))
                .orElse("");
    }

    /** Returns the causes of the views of its cluster, from the history in the store, newest first. */
    public List<String> history() {
        instance.reporter().readHistory().toCompletableFuture().join();
        return report().history().entries().stream()
                .map(entry -> Reason.sentence(entry.head().cause()))
                .toList();
    }

    /** Says whether its listener has received the view that it shows, which happens a moment later. */
    public boolean hasReceivedItsView() {
        return !events.isEmpty() && events.get(events.size() - 1).getNewView() == instance.getTopology();
    }

    /** Returns the HTTP server with its connector endpoint, which is started with the first call. */
    public EndpointServer endpoint() {
        if (endpoint == null) {
            endpoint = new EndpointServer(connectors);
        }
        return endpoint;
    }

    /** Leaves the cluster. */
    @Override
    public void close() {
        instance.close();
        execution.close();
        if (endpoint != null) {
            endpoint.close();
        }
    }
}
