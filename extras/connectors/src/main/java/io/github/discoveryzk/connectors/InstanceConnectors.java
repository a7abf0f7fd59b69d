// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors;

import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.connectors.client.Transport;
import io.github.discoveryzk.connectors.endpoint.ConnectorEndpoint;
import io.github.discoveryzk.connectors.settings.ConnectorSettings;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.SharedAnnouncement;
import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.spi.LocalInstance;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topology connectors of an instance, and the remote clusters that others heard of through theirs, also while no connectors are
 * configured. All methods may be called from any thread and do not block.
 */
public final class InstanceConnectors implements LocalInstance.Connectors {

    private static final Logger LOG = LoggerFactory.getLogger(InstanceConnectors.class);

    /** How long an instance shares what its connectors brought after they ended: it may be about to leave the cluster. */
    public static final long LEAVING_MILLIS = 2_000;

    private final LocalInstance instance;
    private final Time time;
    private final Transport.Factory transports;
    private final AnnouncedClusters announced;
    private volatile Optional<Connectors> connectors = Optional.empty();
    private volatile Optional<String> path = Optional.empty();
    private volatile List<String> configurationProblems = List.of();
    /** Sling writes the word null for a port that is not known. */
    private volatile String httpPort = "null";

    private boolean leaving;
    /** Completes when the connectors of the last configuration have ended. */
    private CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

    /**
     * Attaches connectors to an instance; none are open yet.
     *
     * @param time the clocks of the instance
     */
    public InstanceConnectors(LocalInstance instance, Time time) {
        this(instance, time, Transport::ofThreads);
    }

    InstanceConnectors(LocalInstance instance, Time time, Transport.Factory transports) {
        this.instance = instance;
        this.time = time;
        this.transports = transports;
        this.announced = new AnnouncedClusters(
                new Execution(time, instance.decisions(), instance.calls(), () -> {}),
                instance::liveMembers,
                clusters -> instance.show(this, clusters),
                (siblings, shared) -> connectors.ifPresent(each -> each.showOthers(siblings, shared)));
        instance.attach(this);
    }

    @Override
    public void remotesObserved(List<RemoteCluster> clusters) {
        announced.siblingsObserved(clusters);
    }

    @Override
    public void announcementsObserved(List<SharedAnnouncement> announcements) {
        announced.observed(announcements);
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
                instance,
                httpPort,
                settings,
                contents -> instance.share(this, contents),
                time,
                transports.make(instance.instanceId(), settings, time));
        before.ifPresent(next::follow);
        end();
        connectors = Optional.of(next);
        announced.queue();
        // Before the peers of those before know, the endpoint knows no view.
        ended.thenRun(next::begin);
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
                instance.decisions().schedule(this::shareNothing, LEAVING_MILLIS, TimeUnit.MILLISECONDS);
            } catch (RuntimeException e) {
                LOG.debug("The instance has ended", e);
            }
        }
    }

    private synchronized void shareNothing() {
        if (!leaving && connectors.isEmpty()) {
            instance.share(this, Map.of());
        }
    }

    private void end() {
        connectors.ifPresent(each -> {
            ended = CompletableFuture.allOf(ended, each.end());
            instance.removeListener(each);
        });
        connectors = Optional.empty();
    }

    @Override
    public synchronized void leave() {
        leaving = true;
    }

    @Override
    public synchronized CompletableFuture<Void> close() {
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

    @Override
    public ConnectorReport report() {
        return connectors.map(each -> each.report(path)).orElse(ConnectorReport.NONE);
    }

    /** Sets what is wrong with the configuration, for reports, one sentence each. */
    public void describe(List<String> problems) {
        configurationProblems = List.copyOf(problems);
    }

    @Override
    public List<String> problems() {
        return Stream.concat(configurationProblems.stream(), announced.problems().stream())
                .toList();
    }

    /** Ends all connectors as {@link #disconnect} does. The instance shows no more clusters of others' connectors then. */
    public void detach() {
        disconnect();
        announced.end();
        instance.detach(this);
    }
}
