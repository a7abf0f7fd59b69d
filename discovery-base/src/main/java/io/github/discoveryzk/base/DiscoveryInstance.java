// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import io.github.discoveryzk.base.data.DataService;
import io.github.discoveryzk.base.dispatch.Deadline;
import io.github.discoveryzk.base.dispatch.RunningCalls;
import io.github.discoveryzk.base.dispatch.Subscriptions;
import io.github.discoveryzk.base.engine.TopologyEngine;
import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.base.environment.InstanceIdentity;
import io.github.discoveryzk.base.environment.Machine;
import io.github.discoveryzk.base.journal.Counters.Counter;
import io.github.discoveryzk.base.neighbour.Neighbours;
import io.github.discoveryzk.base.properties.PropertyCollection;
import io.github.discoveryzk.base.properties.PropertySource;
import io.github.discoveryzk.base.protocol.Protocol;
import io.github.discoveryzk.base.reporting.Reporting;
import io.github.discoveryzk.data.SharedData;
import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.report.Health.Finding;
import io.github.discoveryzk.report.Operator;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.spi.LocalInstance;
import io.github.discoveryzk.spi.SettlingPolicy;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.sling.discovery.DiscoveryService;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One instance of a cluster, in plain Java: it gets an identity, a store and threads, then listeners and property providers,
 * and is started. The OSGi component of this bundle is a thin layer over it.
 *
 * <p>All methods may be called from any thread. Listeners and providers are never called by the caller's thread.
 */
public final class DiscoveryInstance implements DiscoveryService, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DiscoveryInstance.class);
    private static final long CLOSE_LIMIT_MILLIS = 3_000;
    private static final long FIRST_ANSWERS_LIMIT_MILLIS = 1_000;

    private final Execution execution;
    private final ClusterStore store;
    private final Subscriptions subscriptions;
    private final PropertyCollection properties;
    final TopologyEngine engine;
    private final Reporting reporting;
    private final OperatorActions actions;
    private final OfferedInstance offered;
    private final Neighbours neighbours;
    private final DataService data;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final String instanceId;

    /**
     * Assembles an instance; nothing happens before {@link #start}.
     *
     * @param identity its identity
     * @param store the unopened connection to its cluster; closed by {@link #close}
     * @param policy how changes are settled, read before each decision
     * @param execution clocks and threads; not closed by this instance
     */
    public DiscoveryInstance(
            InstanceIdentity identity, ClusterStore store, Supplier<SettlingPolicy> policy, Execution execution) {
        this(identity, store, policy, execution, Protocol.SETTLING, new RunningCalls());
    }

    /**
     * Assembles the instance of an OSGi container, with the parameters of the constructor. A listener that has not returned
     * from a call of an earlier instance of this container is not called until it has returned. At most one such instance may
     * be open at a time.
     */
    public static DiscoveryInstance ofThisContainer(
            InstanceIdentity identity, ClusterStore store, Supplier<SettlingPolicy> policy, Execution execution) {
        RunningCalls running = RunningCalls.ofThisContainer();
        return new DiscoveryInstance(identity, store, policy, execution, Protocol.SETTLING, running);
    }

    DiscoveryInstance(
            InstanceIdentity identity,
            ClusterStore store,
            Supplier<SettlingPolicy> policy,
            Execution execution,
            Protocol protocol,
            RunningCalls running) {
        this.execution = execution;
        this.store = store;
        this.instanceId = identity.instanceId();
        this.subscriptions =
                new Subscriptions(execution.calls(), execution.time().monotonic(), this::reevaluate, running);
        this.engine = new TopologyEngine(
                identity, store, policy, protocol, execution.time(), execution.decisions(), subscriptions);
        this.properties = new PropertyCollection(
                execution.calls(),
                execution.time().monotonic(),
                all -> engine.updateOwnRecord(own -> own.withProperties(all)));
        this.neighbours = new Neighbours(
                identity.process().runtimeId(),
                Machine.THIS,
                execution.time().monotonic(),
                store::localAddress,
                engine::suspect);
        engine.follow(neighbours::listen, neighbours::follow);
        this.data = new DataService(instanceId, store.data(), execution.calls(), outcome -> engine.journal()
                .counters()
                .count(Counter.SHARED_WRITES, outcome));
        engine.watch(data::observe);
        this.reporting = new Reporting(
                identity, store, engine, subscriptions, properties, neighbours, data::metrics, policy, execution);
        this.offered = new OfferedInstance(this, identity, store.board(), engine, execution);
        this.actions =
                new OperatorActions(instanceId, identity.process().runtimeId(), engine, offered::prepareStepDown);
        reporting.describeConnectors(offered::report, offered::problems);
    }

    private void reevaluate() {
        engine.reevaluate();
    }

    /** Returns what reports on this instance and its cluster. */
    public Reporter reporter() {
        return reporting;
    }

    /** Returns the actions of an operator. */
    public Operator operator() {
        return actions;
    }

    /** Returns what the members of the cluster share for applications. */
    public SharedData data() {
        return data;
    }

    /** Returns what shows the shared data that this instance has opened. */
    public AddedSection dataSection() {
        return data.section();
    }

    /** Returns this instance as connectors see it. */
    public LocalInstance local() {
        return offered;
    }

    /**
     * Sets what reports show of the connection to the cluster.
     *
     * @param clusterAddress the address of the cluster for display; holds no secrets
     * @param problems supplies the problems of its configuration for each report, on any thread; must not block
     */
    public void describe(String clusterAddress, Supplier<List<Finding>> problems) {
        reporting.describe(clusterAddress, problems);
    }

    /**
     * Sets what other parts of the container say in reports.
     *
     * @param sections requested on any thread, for each report; must not block
     * @param started whether the container had started before this instance was made, so that its start is over
     */
    public void describeParts(Supplier<List<AddedSection>> sections, boolean started) {
        reporting.describeParts(sections, started);
    }

    /** Sets where this instance listens, by default at any port (0) of the address by which it reaches the store; -1 ends listening and watching. */
    public void listenForNeighbours(int port, Optional<InetAddress> address, boolean refusalIsProof) {
        neighbours.configure(port, address, refusalIsProof);
        engine.updateOwnRecord(own -> own.withProcess(neighbours.listen(own.process())));
    }

    /** Joins the cluster, once the property providers added so far have answered or a second has passed. */
    public void start() {
        if (started.compareAndSet(false, true)) {
            AtomicBoolean opened = new AtomicBoolean();
            Runnable open = () -> {
                if (opened.compareAndSet(false, true)) {
                    engine.open();
                }
            };
            execution.decisions().schedule(open, FIRST_ANSWERS_LIMIT_MILLIS, TimeUnit.MILLISECONDS);
            properties.firstAnswers().thenRun(open);
        }
    }

    /** Adds a listener; it receives INIT as soon as a view is current. A listener that was added already is not added again. */
    public void addListener(TopologyEventListener listener) {
        addListener(listener, listener.getClass().getName());
    }

    /** Adds a listener under a display name for logs and the topology page. */
    public void addListener(TopologyEventListener listener, String name) {
        subscriptions.add(listener, () -> name);
        decideOnceStarted();
    }

    private void decideOnceStarted() {
        if (started.get()) {
            engine.reevaluate();
        }
    }

    /**
     * Adds a listener for which changes of other clusters are no changes: it receives no CHANGING because of them.
     *
     * @param name called each time the name is shown, on any thread; it must not block
     */
    public void addOwnClusterListener(TopologyEventListener listener, Supplier<String> name) {
        subscriptions.addForOwnCluster(listener, name);
        decideOnceStarted();
    }

    /** Removes a listener; no call to it starts after this returned. */
    public void removeListener(TopologyEventListener listener) {
        subscriptions.remove(listener);
    }

    /** Adds a property provider for these names, with ranking 0. */
    public void addPropertyProvider(PropertyProvider provider, String... names) {
        addPropertyProvider(provider, provider.getClass().getName(), 0, Long.MAX_VALUE, names);
    }

    /**
     * Adds a property provider, or updates its registration.
     *
     * @param provider the provider, never null
     * @param name its display name
     * @param ranking of two providers of one name the one with the higher ranking wins
     * @param serviceId of two providers with equal ranking the one with the lower id wins
     * @param names the value of the service property {@link PropertyProvider#PROPERTY_PROPERTIES}: a text, an array or a
     *     collection of texts; anything else is reported as a problem
     */
    public void addPropertyProvider(PropertyProvider provider, String name, int ranking, long serviceId, Object names) {
        properties.add(new PropertySource.Registration(provider, name, ranking, serviceId, names));
    }

    /** Removes a property provider and its properties from the topology. */
    public void removePropertyProvider(PropertyProvider provider) {
        removePropertyProvider(provider, Long.MAX_VALUE);
    }

    /** Removes a property provider that was added with a service id. */
    public void removePropertyProvider(PropertyProvider provider, long serviceId) {
        properties.remove(provider, serviceId);
    }

    /** Calls all property providers again, for values that change without an update of the registration. */
    public void refreshProperties() {
        properties.refresh();
    }

    /**
     * Calls all property providers again after each interval, for values that change without an update of the registration.
     * Equal values have no effect, and a provider that has not returned yet is not called again.
     *
     * @param interval zero for never, which is the initial setting
     */
    public void refreshPropertiesEvery(Duration interval) {
        properties.refreshEvery(interval.toMillis(), execution.decisions());
    }

    @Override
    public TopologyView getTopology() {
        return engine.topology();
    }

    /**
     * Begins to leave: the view is invalidated for good and the listeners receive CHANGING. To be followed by {@link #close}.
     *
     * @return completes when all listeners have returned
     */
    public CompletableFuture<Void> leave() {
        offered.leave();
        return engine.leave();
    }

    /**
     * Leaves the cluster: sends CHANGING to the listeners, waits for them, at most three seconds in total, and ends the
     * session, so that the others notice it immediately. Closing twice does nothing.
     */
    @Override
    public void close() {
        close(Deadline.in(CLOSE_LIMIT_MILLIS, execution.time().monotonic()));
    }

    void close(Deadline deadline) {
        if (closed.compareAndSet(false, true)) {
            CompletableFuture<Void> left = leave();
            properties.close();
            if (!deadline.await(left)) {
                LOG.warn(
                        "Instance {} leaves the cluster although listeners have not returned from CHANGING: {}",
                        instanceId,
                        subscriptions.acting());
            }
            // Not earlier: a peer drops this cluster then, and connectors of other members take over only when they
            // know.
            CompletableFuture<Void> disconnected = offered.close();
            // Before its session ends, so that it is not suspected.
            deadline.await(neighbours.close());
            store.close();
            deadline.await(disconnected);
            subscriptions.close(deadline);
        }
    }
}
