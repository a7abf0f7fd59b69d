// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.sling.discovery.base.dispatch.Subscriptions;
import org.apache.sling.discovery.base.engine.TopologyEngine;
import org.apache.sling.discovery.base.environment.Execution;
import org.apache.sling.discovery.base.journal.Journal;
import org.apache.sling.discovery.base.properties.PropertyCollection;
import org.apache.sling.discovery.commons.report.ConnectorReport;
import org.apache.sling.discovery.commons.report.Health;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.spi.ClusterStore;

/** Reports on an instance and its cluster. Futures are completed on the threads that call listeners. */
public final class Reporting implements Reporter, AutoCloseable {

    private static final String STOPPED = "the discovery service has been stopped";

    private final String instanceId;
    private final String runtimeId;
    private final ClusterStore store;
    private final TopologyEngine engine;
    private final Subscriptions subscriptions;
    private final PropertyCollection properties;
    private final Execution execution;
    private final RevisionCounter revision = new RevisionCounter(this::shown);
    private final HistoryCache history;
    private final AcknowledgementCache acknowledgements;
    private final AtomicReference<CompletableFuture<StoreTree>> tree = new AtomicReference<>();
    private final Set<CompletableFuture<Void>> histories = ConcurrentHashMap.newKeySet();
    private volatile String address = "";
    private volatile Supplier<List<String>> configurationProblems = List::of;
    private volatile Supplier<List<String>> connectorProblems = List::of;
    private volatile Supplier<List<String>> leaseUsers = List::of;
    private volatile Supplier<ConnectorReport> connectors = () -> ConnectorReport.NONE;
    private volatile Labelled labelled = new Labelled(HistoryCache.Known.NOTHING, InstanceNames.NONE, History.UNREAD);
    private volatile boolean closed;

    public Reporting(
            String instanceId,
            String runtimeId,
            ClusterStore store,
            TopologyEngine engine,
            Subscriptions subscriptions,
            PropertyCollection properties,
            Execution execution) {
        this.instanceId = instanceId;
        this.runtimeId = runtimeId;
        this.store = store;
        this.engine = engine;
        this.subscriptions = subscriptions;
        this.properties = properties;
        this.execution = execution;
        this.history = new HistoryCache(store, engine, execution.time().monotonic());
        this.acknowledgements = new AcknowledgementCache(
                store, engine.journal(), execution.time().monotonic());
    }

    /**
     * Sets what reports say about the configuration.
     *
     * @param clusterAddress for display
     * @param problems sentences; requested on any thread, for each report; must not block
     */
    public void describe(String clusterAddress, Supplier<List<String>> problems) {
        address = clusterAddress;
        configurationProblems = problems;
        engine.journal().describe(clusterAddress);
    }

    /** Sets what supplies the bundles that use the lease of the leader, for each report; it must not block. */
    public void describeLeaseUsers(Supplier<List<String>> bundles) {
        leaseUsers = bundles;
    }

    /**
     * Sets what supplies the state of the connectors.
     *
     * @param report requested on any thread, for each report; must not block
     * @param problems sentences about other clusters; requested as the report is
     */
    public void describeConnectors(Supplier<ConnectorReport> report, Supplier<List<String>> problems) {
        connectors = report;
        connectorProblems = problems;
    }

    @Override
    public TopologyReport report() {
        // Read first, so that any later change gets a higher number.
        long number = revision.number();
        HistoryCache.Known known = history.known();
        InstanceNames names = engine.journal().departures().names();
        acknowledgements.ask();
        return new ReportAssembly(
                        new ReportAssembly.Local(
                                instanceId,
                                runtimeId,
                                address,
                                engine.topology().isCurrent()),
                        engine.journal(),
                        subscriptions.acting(),
                        acknowledgements.acknowledgements(),
                        known.entries(),
                        execution.time())
                .report(
                        number,
                        subscriptions.status(),
                        leaseUsers.get(),
                        connectors.get(),
                        shown(known, names),
                        problems(names));
    }

    /** The history is long and its labels seldom change. */
    private History shown(HistoryCache.Known known, InstanceNames names) {
        Labelled last = labelled;
        if (last.known() != known || last.names() != names) {
            last = new Labelled(known, names, known.shown(names));
            labelled = last;
        }
        return last.shown();
    }

    private List<String> problems(InstanceNames names) {
        List<String> problems = new ArrayList<>(configurationProblems.get());
        problems.addAll(engine.journal().problems(names));
        problems.addAll(properties.problems());
        problems.addAll(connectorProblems.get());
        return problems;
    }

    /** Returns the content of a report without the values that change with time alone. */
    private List<Object> shown() {
        Journal journal = engine.journal();
        List<Object> listeners = new ArrayList<>();
        subscriptions
                .status()
                .forEach(each -> listeners.add(
                        List.of(each.name(), each.pending(), each.busyMillis() >= Health.LISTENER_LIMIT_MILLIS)));
        return List.of(
                journal.standing(),
                journal.acting(),
                journal.store().map(seen -> List.of(seen.members(), seen.view(), seen.acknowledgements())),
                List.of(
                        journal.departures().departed(),
                        journal.departures().names(),
                        journal.began(),
                        journal.lastChange(),
                        journal.acknowledged()),
                List.of(journal.remotes(), SteadyConnectors.of(connectors.get())),
                journal.sessionStatus()
                        .connection()
                        .map(each -> List.of(each.session(), each.timeoutMillis(), each.usable())),
                listeners,
                List.of(
                        journal.recent().events(),
                        journal.recent().transitions(),
                        journal.recent().propertyChanges()),
                List.of(history.known(), acknowledgements.acknowledgements()),
                problems(InstanceNames.NONE));
    }

    @Override
    public CompletionStage<Void> readHistory() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        histories.add(done);
        CompletableFuture<Void> read = new CompletableFuture<>();
        read.thenRun(() -> answer(() -> {
            histories.remove(done);
            done.complete(null);
        }));
        boolean queued = engine.submit(() -> history.refresh(read));
        // Closed meanwhile: no other thread may be left to complete it.
        if (!queued || closed) {
            histories.remove(done);
            done.complete(null);
        }
        return done.minimalCompletionStage();
    }

    @Override
    public CompletionStage<StoreTree> readTree() {
        CompletableFuture<StoreTree> mine = new CompletableFuture<>();
        CompletableFuture<StoreTree> underWay = tree.compareAndExchange(null, mine);
        if (underWay != null) {
            return underWay.minimalCompletionStage();
        }
        store.inspector()
                .readTree()
                .whenComplete((read, thrown) -> answer(() -> {
                    tree.compareAndSet(mine, null);
                    if (thrown == null) {
                        mine.complete(
                                new StoreTree(execution.time().wall().getAsLong(), read.nodes(), read.complete()));
                    } else {
                        mine.completeExceptionally(thrown);
                    }
                }));
        if (closed) {
            mine.completeExceptionally(new IllegalStateException(STOPPED));
        }
        return mine.minimalCompletionStage();
    }

    /** Dependent stages must not delay the decision thread or the threads of the store. */
    private void answer(Runnable completion) {
        try {
            execution.calls().execute(completion);
        } catch (RejectedExecutionException | OutOfMemoryError e) { // The latter when no thread is available.
            completion.run();
        }
    }

    /** Completes all pending futures. */
    @Override
    public void close() {
        closed = true;
        acknowledgements.close();
        histories.forEach(each -> each.complete(null));
        CompletableFuture<StoreTree> underWay = tree.get();
        if (underWay != null) {
            underWay.completeExceptionally(new IllegalStateException(STOPPED));
        }
    }

    /**
     * A history with labels.
     *
     * @param known the history as it was read
     * @param names the names in it
     * @param shown the same history with the names
     */
    private record Labelled(HistoryCache.Known known, InstanceNames names, History shown) {}
}
