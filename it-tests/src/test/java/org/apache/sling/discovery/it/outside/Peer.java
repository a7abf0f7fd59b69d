// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.outside;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.base.DiscoveryInstance;
import org.apache.sling.discovery.base.environment.Execution;
import org.apache.sling.discovery.base.environment.InstanceIdentity;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;
import org.apache.sling.discovery.zk.ZooKeeperStore;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;
import org.awaitility.core.ConditionTimeoutException;

/** A member of a cluster without a container, assembled in plain Java. */
public final class Peer implements AutoCloseable {

    /** Long enough that a busy machine ends no session; no test waits for the end of one. */
    public static final int SESSION_MILLIS = 10_000;

    private final Execution execution;
    private final DiscoveryInstance instance;
    private final List<String> events = new CopyOnWriteArrayList<>();

    private Peer(String cluster, String id, int sessionTimeoutMillis, long settleMillis) {
        execution = Execution.ofThreads(id);
        SettlingPolicy policy = new SettlingPolicy(
                settleMillis, 0, SettlingPolicy.DEFAULT.stepInMillis(), SettlingPolicy.DEFAULT.suspended());
        instance = new DiscoveryInstance(
                InstanceIdentity.ofThisProcess(id, Time.SYSTEM),
                new ZooKeeperStore(ZooKeeperStoreConfig.of(Server.address())
                        .withClusterName(cluster)
                        .withSessionTimeout(sessionTimeoutMillis)),
                () -> policy,
                execution);
        instance.addListener(this::heard);
    }

    /** Makes a member and waits until it holds a view. */
    public static Peer join(String cluster, String id) {
        return join(cluster, id, SESSION_MILLIS, SettlingPolicy.DEFAULT.settleTimeoutMillis());
    }

    /** Makes a member with these timeouts and waits until it holds a view. */
    public static Peer join(String cluster, String id, int sessionTimeoutMillis, long settleMillis) {
        Peer peer = new Peer(cluster, id, sessionTimeoutMillis, settleMillis);
        peer.instance.start();
        try {
            Limit.await("peer " + id + " to join").until(peer::isCurrent);
        } catch (ConditionTimeoutException e) {
            String sentence = peer.instance.reporter().report().sentence();
            peer.close();
            throw new AssertionError("peer " + id + ": " + sentence, e);
        }
        return peer;
    }

    private void heard(TopologyEvent event) {
        events.add(event.getType().name());
    }

    /** Returns the types of the events of its listener. */
    public List<String> events() {
        return List.copyOf(events);
    }

    public boolean isCurrent() {
        return instance.getTopology().isCurrent();
    }

    /** Returns the instance ids of its cluster, in order. */
    public List<String> members() {
        return cluster(instance.getTopology()).stream()
                .map(InstanceDescription::getSlingId)
                .toList();
    }

    /** Returns the properties of a member of its cluster; empty for other instances. */
    public Map<String, String> properties(String id) {
        return cluster(instance.getTopology()).stream()
                .filter(each -> each.getSlingId().equals(id))
                .findFirst()
                .map(InstanceDescription::getProperties)
                .orElse(Map.of());
    }

    public String clusterId() {
        return instance.getTopology().getLocalInstance().getClusterView().getId();
    }

    /** Returns the cause of its present view. */
    public String cause() {
        return instance.reporter()
                .report()
                .view()
                .map(view -> Reason.sentence(view.established().cause()))
                .orElse("");
    }

    /** Returns the causes of the views of its cluster, from the history in the store, newest first. */
    public List<String> history() {
        instance.reporter().readHistory().toCompletableFuture().join();
        return instance.reporter().report().history().entries().stream()
                .map(entry -> Reason.sentence(entry.head().cause()))
                .toList();
    }

    /** Publishes a property. */
    public void offer(String name, String value) {
        instance.addPropertyProvider(asked -> value, name);
    }

    private static List<InstanceDescription> cluster(TopologyView view) {
        return view.getLocalInstance().getClusterView().getInstances();
    }

    /** Leaves the cluster. */
    @Override
    public void close() {
        instance.close();
        execution.close();
    }
}
