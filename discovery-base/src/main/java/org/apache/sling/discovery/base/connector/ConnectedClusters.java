// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.base.connector.client.Transport;
import org.apache.sling.discovery.base.environment.Execution;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;
import org.apache.sling.discovery.commons.report.ConnectorReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the topology connectors of an instance and turns shared announcements into remote clusters, also while no connectors are
 * configured. All methods may be called from any thread and do not block.
 */
public final class ConnectedClusters {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectedClusters.class);

    /** How long an instance shares what its connectors brought after they ended: it may be about to leave the cluster. */
    static final long LEAVING_MILLIS = 2_000;

    private final String ownId;
    private final String host;
    private final Execution execution;
    private final LocalInstance instance;
    private final Transport.Factory transports;
    private final AnnouncedClusters announced;
    private volatile Optional<Connectors> connectors = Optional.empty();
    private volatile Optional<String> path = Optional.empty();
    private volatile Optional<String> httpPort = Optional.empty();
    private boolean leaving;

    /** Completes when the connectors of the last configuration have ended. */
    private CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

    /**
     * What connectors need of the instance.
     *
     * @param share shares announcements with the other members
     * @param topology returns the last view
     * @param live returns the members of the local cluster whose nodes are in the store; empty if that is not known
     * @param show receives the clusters of the shared announcements, in the order of precedence, each time others are to be shown
     */
    public record LocalInstance(
            Consumer<Map<String, Bytes>> share,
            Supplier<TopologyView> topology,
            Supplier<Optional<Set<String>>> live,
            Consumer<List<RemoteCluster>> show) {}

    /**
     * Begins without connectors.
     *
     * @param ownId the id of this instance
     * @param host the name of the machine, which peers may show
     * @param transports makes what connectors run on
     */
    public ConnectedClusters(
            String ownId, String host, Execution execution, LocalInstance instance, Transport.Factory transports) {
        this.ownId = ownId;
        this.host = host;
        this.execution = execution;
        this.instance = instance;
        this.transports = transports;
        this.announced = new AnnouncedClusters(execution, instance, this::connectors);
    }

    /** Takes the other clusters of the store as they are now. */
    public void siblingsObserved(List<RemoteCluster> clusters) {
        announced.siblingsObserved(clusters);
    }

    /** Takes the shared announcements as they are now. */
    public void announcementsObserved(List<SharedAnnouncement> now) {
        announced.observed(now);
    }

    /**
     * Replaces the connectors. Those that follow take over what peers announced, as long as the peers may still connect. If the settings
     * are the same, or after {@link #leave}, it does nothing.
     *
     * @param begun receives the connectors as soon as those before them have disconnected from their peers; it adds them as a
     *     listener for the local cluster. Before that their endpoint knows no view
     */
    public synchronized void connect(ConnectorSettings settings, Consumer<Connectors> begun) {
        Optional<Connectors> before = connectors;
        if (leaving || before.filter(each -> each.settings().equals(settings)).isPresent()) {
            return;
        }
        Transport transport = transports.make(ownId, settings.transfer(), settings.trust(), execution.time());
        // Sling writes the word null for a port that is not known.
        String serverInfo = host + ":" + httpPort.orElse("null");
        Connectors next = new Connectors(
                ownId, serverInfo, settings, instance.share(), instance.topology(), execution.time(), transport);
        before.ifPresent(next::follow);
        end();
        connectors = Optional.of(next);
        announced.queue();
        ended.thenRun(() -> next.begin(begun));
    }

    /**
     * Ends the connectors, if there are any. What they brought is shared for {@value #LEAVING_MILLIS} ms longer: when a container stops, its
     * instance leaves next, and the other members are to see that it left, and not that its connectors ended.
     *
     * @return completes when the peers know, or two seconds have passed
     */
    public synchronized CompletableFuture<Void> disconnect() {
        Optional<Connectors> before = connectors;
        end();
        if (before.isPresent()) {
            try {
                execution.decisions().schedule(this::shareNothing, LEAVING_MILLIS, TimeUnit.MILLISECONDS);
            } catch (RuntimeException e) {
                LOG.debug("The instance has ended", e);
            }
        }
        return ended;
    }

    private synchronized void shareNothing() {
        if (!leaving && connectors.isEmpty()) {
            instance.share().accept(Map.of());
        }
    }

    /** Records that the instance begins to leave its cluster. What it shares stays as it is until its session ends. */
    public synchronized void leave() {
        leaving = true;
    }

    private void end() {
        Optional<Connectors> before = connectors;
        connectors = Optional.empty();
        before.ifPresent(each -> ended = CompletableFuture.allOf(ended, each.end()));
    }

    /**
     * Ends the connectors because the instance leaves its cluster. What it shares ends with its session, so that the other members
     * know that it left.
     *
     * @return completes when the peers know, or two seconds have passed
     */
    public synchronized CompletableFuture<Void> close() {
        leaving = true;
        end();
        return ended;
    }

    /** Returns the connectors, if they are configured. */
    public Optional<Connectors> connectors() {
        return connectors;
    }

    /** Sets the port of the servlet container, for the connectors that follow. */
    public void setHttpPort(String port) {
        httpPort = Optional.of(port);
    }

    /** Sets the path at which a servlet container offers the endpoint; empty when none does. */
    public void offeredAt(Optional<String> newPath) {
        path = newPath;
    }

    /** Returns which clusters change too often or are not shown completely, in words. */
    public List<String> problems() {
        return Stream.concat(
                        connectors.stream().flatMap(each -> each.problems().stream()), announced.problems().stream())
                .toList();
    }

    /** Returns the state of all connectors. */
    public ConnectorReport report() {
        return connectors.map(each -> each.report(path)).orElse(ConnectorReport.NONE);
    }
}
