// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import io.github.discoveryzk.base.engine.TopologyEngine;
import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.base.environment.InstanceIdentity;
import io.github.discoveryzk.data.Registration;
import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.SharedAnnouncement;
import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.spi.AnnouncementBoard;
import io.github.discoveryzk.spi.LocalInstance;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an instance offers to its connectors, which may come and go while it runs. */
final class OfferedInstance implements LocalInstance {

    private static final Logger LOG = LoggerFactory.getLogger(OfferedInstance.class);

    /** How long what connectors brought stays after they ended: the instance may be about to leave the cluster. */
    private static final long LEAVING_MILLIS = 2_000;

    /** How long the preparations of a step-down are waited for. */
    private static final long PREPARATION_MILLIS = 5_000;

    private static final Connectors NONE = () -> ConnectorReport.NONE;

    private final DiscoveryInstance instance;
    private final InstanceIdentity identity;
    private final AnnouncementBoard board;
    private final TopologyEngine engine;
    private final Execution execution;
    private final List<Supplier<CompletableFuture<Void>>> preparations = new CopyOnWriteArrayList<>();
    private volatile Connectors attached = NONE;
    private volatile List<SharedAnnouncement> announcements = List.of();
    private List<RemoteCluster> siblings = List.of();
    private boolean leaving;

    OfferedInstance(
            DiscoveryInstance instance,
            InstanceIdentity identity,
            AnnouncementBoard board,
            TopologyEngine engine,
            Execution execution) {
        this.instance = instance;
        this.identity = identity;
        this.board = board;
        this.engine = engine;
        this.execution = execution;
        board.follow(new Others());
    }

    /** Passes on what the members of all clusters of the store share. */
    private final class Others implements AnnouncementBoard.Observer {
        @Override
        public void remotesObserved(List<RemoteCluster> clusters) {
            synchronized (OfferedInstance.this) {
                siblings = clusters;
                attached.remotesObserved(clusters);
            }
            engine.updateSiblings(clusters);
        }

        @Override
        public void announcementsObserved(List<SharedAnnouncement> shared) {
            synchronized (OfferedInstance.this) {
                announcements = shared;
                attached.announcementsObserved(shared);
            }
        }
    }

    @Override
    public String instanceId() {
        return identity.instanceId();
    }

    @Override
    public String host() {
        return identity.process().host();
    }

    @Override
    public Optional<Stay> stay() {
        return engine.stay();
    }

    @Override
    public TopologyView topology() {
        return engine.topology();
    }

    @Override
    public Optional<Set<String>> liveMembers() {
        return engine.journal()
                .store()
                .map(seen -> seen.members().stream().map(Member::instanceId).collect(Collectors.toSet()));
    }

    @Override
    public Executor calls() {
        return execution.calls();
    }

    @Override
    public ScheduledExecutorService decisions() {
        return execution.decisions();
    }

    @Override
    public void addOwnClusterListener(TopologyEventListener listener, Supplier<String> name) {
        instance.addOwnClusterListener(listener, name);
    }

    @Override
    public void removeListener(TopologyEventListener listener) {
        instance.removeListener(listener);
    }

    @Override
    public Registration beforeStepDown(Supplier<CompletableFuture<Void>> preparation) {
        // Another object each time, so that one of two equal ones stays. One that throws delays nothing.
        Supplier<CompletableFuture<Void>> added = () -> {
            try {
                return preparation.get();
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        };
        preparations.add(added);
        return () -> preparations.remove(added);
    }

    /** Prepares to step down. Completes when that is done, or has taken too long. */
    CompletableFuture<Void> prepareStepDown() {
        CompletableFuture<?>[] all = preparations.stream().map(Supplier::get).toArray(CompletableFuture<?>[]::new);
        CompletableFuture<Void> prepared = CompletableFuture.allOf(all);
        if (!prepared.isDone()) {
            Runnable end = () -> prepared.complete(null);
            execution.decisions().schedule(end, PREPARATION_MILLIS, TimeUnit.MILLISECONDS);
        }
        return prepared;
    }

    @Override
    public synchronized void attach(Connectors connectors) {
        drop(attached);
        attached = connectors;
        if (leaving) {
            connectors.leave();
        }
        connectors.remotesObserved(siblings);
        connectors.announcementsObserved(announcements);
    }

    @Override
    public void detach(Connectors connectors) {
        // Their bundle may lose its classes at any time from now on. What they brought is that of a stand-in.
        // Each is another object: a lambda would be the same one each time.
        Connectors former = new Connectors() {
            @Override
            public ConnectorReport report() {
                return ConnectorReport.NONE;
            }
        };
        synchronized (this) {
            if (connectors != attached) {
                return;
            }
            attached = former;
        }
        try {
            execution.decisions().schedule(() -> drop(former), LEAVING_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RuntimeException e) {
            LOG.debug("The instance has ended", e);
        }
    }

    private synchronized void drop(Connectors connectors) {
        if (connectors == attached && connectors != NONE && !leaving) {
            share(connectors, Map.of());
            show(connectors, List.of());
            attached = NONE;
        }
    }

    @Override
    public synchronized void share(Connectors by, Map<String, Bytes> contents) {
        if (by == attached) {
            board.share(contents);
        }
    }

    @Override
    public synchronized void show(Connectors by, List<RemoteCluster> clusters) {
        if (by == attached) {
            engine.updateHeardClusters(clusters);
        }
    }

    ConnectorReport report() {
        return attached.report();
    }

    /** Returns what is wrong with the connectors, or that there are none where they are needed. */
    List<String> problems() {
        return attached == NONE && !announcements.isEmpty()
                ? List.of(
                        "Members of this cluster share clusters that connectors brought, and this instance shows none of"
                                + " these clusters: install and start the bundle discovery-connectors.")
                : attached.problems();
    }

    void leave() {
        synchronized (this) {
            leaving = true;
        }
        attached.leave();
    }

    CompletableFuture<Void> close() {
        return attached.close();
    }
}
