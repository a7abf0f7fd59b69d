// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.member;

import io.github.discoveryzk.base.DiscoveryInstance;
import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.base.environment.InstanceIdentity;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;

/** An instance of this project, assembled in plain Java. */
@ThreadsAndClocks
final class DiscoveryMember implements BenchmarkMember {
    /** The property that the leader changes. */
    static final String PROPERTY = "benchmark";

    private final String id;
    private final Recorder recorder;
    private final Execution execution;
    private final CompletableFuture<Void> connected = new CompletableFuture<>();
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private final DiscoveryInstance instance;
    private final boolean opensEarly;
    private volatile String value = "";
    private volatile DiscoveryData data;
    private volatile DiscoveryWork work;

    /** @param opensEarly whether the member opens the shared data before it joins */
    DiscoveryMember(String id, ClusterStore store, Recorder recorder, boolean opensEarly) {
        this.opensEarly = opensEarly;
        this.id = id;
        this.recorder = recorder;
        execution = Execution.ofThreads(id);
        instance = new DiscoveryInstance(
                InstanceIdentity.ofThisProcess(id, Time.SYSTEM), gate(store), () -> SettlingPolicy.DEFAULT, execution);
        instance.addListener(this::handle);
        instance.addPropertyProvider(asked -> value, PROPERTY);
    }

    /** Returns the store, which holds the announcement back until the member joins: a join is measured from a connected client. */
    private ClusterStore gate(ClusterStore store) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (!opened.isDone() && arguments != null && arguments[0] instanceof Request.Announce announcement) {
                opened.thenRun(() -> store.request(announcement));
                connected.complete(null);
                return null;
            }
            return method.invoke(store, arguments);
        };
        return (ClusterStore) Proxy.newProxyInstance(
                ClusterStore.class.getClassLoader(), new Class<?>[] {ClusterStore.class}, handler);
    }

    private void handle(TopologyEvent event) {
        if (event.getType() == TopologyEvent.Type.TOPOLOGY_CHANGING) {
            recorder.changing(id);
        } else {
            List<InstanceDescription> members =
                    event.getNewView().getLocalInstance().getClusterView().getInstances();
            // The leader is the one that changes its property.
            recorder.lead(members.get(0).getSlingId());
            String notified =
                    Optional.ofNullable(members.get(0).getProperty(PROPERTY)).orElse("");
            recorder.notified(id, members.size(), notified);
        }
    }

    @Override
    public void connect() throws Exception {
        instance.start();
        connected.get(CONNECT_SECONDS, TimeUnit.SECONDS);
        if (opensEarly) {
            data();
        }
    }

    @Override
    public void join() {
        opened.complete(null);
    }

    @Override
    public void change(String next) {
        value = next;
        instance.refreshProperties();
    }

    @Override
    public BenchmarkData data() throws Exception {
        if (data == null) {
            data = new DiscoveryData(id, instance, recorder);
            data.awaitRead();
        }
        return data;
    }

    @Override
    public void work() {
        work = new DiscoveryWork(id, instance, recorder);
    }

    @Override
    public WorkRecord workRecord() {
        return work.decide();
    }

    @Override
    public void endWork() throws Exception {
        if (work != null) {
            work.close();
            work = null;
        }
    }

    @Override
    public void leave() throws Exception {
        endWork();
        instance.close();
        execution.close();
    }
}
