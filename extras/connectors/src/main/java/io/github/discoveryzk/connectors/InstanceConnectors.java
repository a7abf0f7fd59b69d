// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import io.github.discoveryzk.base.connector.AnnouncedClusters;
import io.github.discoveryzk.base.connector.ConnectorSettings;
import io.github.discoveryzk.base.connector.Connectors;
import io.github.discoveryzk.base.connector.client.Transport;
import io.github.discoveryzk.base.connector.endpoint.ConnectorEndpoint;
import io.github.discoveryzk.base.engine.TopologyEngine;
import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.base.environment.InstanceIdentity;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.SharedAnnouncement;
import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.spi.AnnouncementBoard;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topology connectors of an instance, and the remote clusters that others heard of through theirs, also while no connectors are
 * configured. All methods may be called from any thread and do not block.
 */
public final class InstanceConnectors {

    private static final Logger LOG = LoggerFactory.getLogger(InstanceConnectors.class);

    /** How long an instance shares what its connectors brought after they ended: it may be about to leave the cluster. */
    public static final long LEAVING_MILLIS = 2_000;

    private final DiscoveryInstance instance;
    private final InstanceIdentity identity;
    private final AnnouncementBoard board;
    private final TopologyEngine engine;
    private final Execution execution;
    private final Transport.Factory transports;
    private final AnnouncedClusters announced;
    private volatile Optional<Connectors> connectors = Optional.empty();
    private volatile Optional<String> path = Optional.empty();
    /** Sling writes the word null for a port that is not known. */
    private volatile String httpPort = "null";

    private boolean leaving;
    /** Completes when the connectors of the last configuration have ended. */
    private CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

    InstanceConnectors(
            DiscoveryInstance instance,
            InstanceIdentity identity,
            AnnouncementBoard board,
            TopologyEngine engine,
            Execution execution,
            Transport.Factory transports) {
        this.instance = instance;
        this.identity = identity;
        this.board = board;
        this.engine = engine;
        this.execution = execution;
        this.transports = transports;
        this.announced = new AnnouncedClusters(
                execution,
                this::liveMembers,
                engine::updateHeardClusters,
                (siblings, shared) -> connectors.ifPresent(each -> each.showOthers(siblings, shared)));
        board.follow(new Others());
    }

    /** Passes on what the members of all clusters of the store share. */
    private final class Others implements AnnouncementBoard.Observer {
        @Override
        public void remotesObserved(List<RemoteCluster> clusters) {
            announced.siblingsObserved(clusters);
            engine.updateSiblings(clusters);
        }

        @Override
        public void announcementsObserved(List<SharedAnnouncement> announcements) {
            announced.observed(announcements);
        }
    }

    private Optional<Set<String>> liveMembers() {
        return engine.journal()
                .store()
                .map(seen -> seen.members().stream().map(Member::instanceId).collect(Collectors.toSet()));
    }

    /**
     * Opens topology connectors and accepts those of peers; replaces the connectors that are there. Those that follow take over what peers
     * announced, as long as the peers may still connect. If the settings are the same, or the instance leaves, it does nothing. May be
     * called at any time before the instance is closed. The connectors announce what this instance knows as soon as it is settled.
     */
    public synchronized void connect(ConnectorSettings settings) {
        Optional<Connectors> before = connectors;
        if (leaving || before.filter(each -> each.settings().equals(settings)).isPresent()) {
            return;
        }
        Connectors next = new Connectors(
                identity.instanceId(),
                identity.process().host() + ":" + httpPort,
                settings,
                board::share,
                engine::topology,
                execution.time(),
                transports.make(identity.instanceId(), settings.transfer(), settings.trust(), execution.time()));
        before.ifPresent(next::follow);
        end();
        connectors = Optional.of(next);
        announced.queue();
        // Before the peers of those before know, the endpoint knows no view.
        ended.thenRun(() -> next.begin(() -> instance.addOwnClusterListener(next, () -> "topology connectors")));
    }

    /**
     * Ends all connectors: peers are notified, and what they announced is forgotten. Without connectors it does nothing. What they brought is
     * shared for {@value #LEAVING_MILLIS} ms longer: when a container stops, its instance leaves next, and the other members are to see that
     * it left, and not that its connectors ended.
     */
    public synchronized void disconnect() {
        if (connectors.isPresent()) {
            end();
            try {
                execution.decisions().schedule(this::shareNothing, LEAVING_MILLIS, TimeUnit.MILLISECONDS);
            } catch (RuntimeException e) {
                LOG.debug("The instance has ended", e);
            }
        }
    }

    private synchronized void shareNothing() {
        if (!leaving && connectors.isEmpty()) {
            board.share(Map.of());
        }
    }

    private void end() {
        connectors.ifPresent(each -> {
            ended = CompletableFuture.allOf(ended, each.end());
            instance.removeListener(each);
        });
        connectors = Optional.empty();
    }

    /** Records that the instance begins to leave its cluster. What it shares stays as it is until its session ends. */
    synchronized void leave() {
        leaving = true;
    }

    /**
     * Ends the connectors because the instance leaves its cluster. What it shares ends with its session, so that the other members
     * know that it left.
     *
     * @return completes when the peers know, or two seconds have passed
     */
    synchronized CompletableFuture<Void> close() {
        leaving = true;
        end();
        return ended;
    }

    /** Returns what replies to the peers that connect to this instance; empty while connectors are not configured. */
    public Optional<ConnectorEndpoint> endpoint() {
        return connectors.map(Connectors::endpoint);
    }

    /** Sets the port of the servlet container, which peers show; the connectors that are opened next send it. */
    public void setHttpPort(String port) {
        httpPort = port;
    }

    /** Sets the path at which a servlet container offers the endpoint, for reports; empty when none does. */
    public void offeredAt(Optional<String> newPath) {
        path = newPath;
    }

    /** Returns the state of the connectors. */
    public ConnectorReport report() {
        return connectors.map(each -> each.report(path)).orElse(ConnectorReport.NONE);
    }

    /** Returns which clusters change too often or are not shown completely, in words. */
    List<String> problems() {
        return announced.problems();
    }
}
