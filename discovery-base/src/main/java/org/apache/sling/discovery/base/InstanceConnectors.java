// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.sling.discovery.base.connector.ConnectedClusters;
import org.apache.sling.discovery.base.connector.ConnectorSettings;
import org.apache.sling.discovery.base.connector.Connectors;
import org.apache.sling.discovery.base.connector.client.Transport;
import org.apache.sling.discovery.base.connector.endpoint.ConnectorEndpoint;
import org.apache.sling.discovery.base.engine.TopologyEngine;
import org.apache.sling.discovery.base.environment.Execution;
import org.apache.sling.discovery.base.environment.InstanceIdentity;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;
import org.apache.sling.discovery.commons.report.ConnectorReport;
import org.apache.sling.discovery.commons.spi.AnnouncementBoard;

/** The topology connectors of an instance. All methods may be called from any thread and do not block. */
public final class InstanceConnectors {

    private static final String NAME = "topology connectors";

    private final ConnectedClusters connected;
    private final DiscoveryInstance instance;
    private final TopologyEngine engine;

    InstanceConnectors(
            DiscoveryInstance instance,
            InstanceIdentity identity,
            AnnouncementBoard board,
            TopologyEngine engine,
            Execution execution,
            Transport.Factory transports) {
        this.instance = instance;
        this.engine = engine;
        this.connected = new ConnectedClusters(
                identity.instanceId(),
                identity.process().host(),
                execution,
                new ConnectedClusters.LocalInstance(
                        board::share, engine::topology, this::liveMembers, engine::updateHeardClusters),
                transports);
        board.follow(new Others());
    }

    /** Passes on what the members of all clusters of the store share. */
    private final class Others implements AnnouncementBoard.Observer {
        @Override
        public void remotesObserved(List<RemoteCluster> clusters) {
            connected.siblingsObserved(clusters);
            engine.updateSiblings(clusters);
        }

        @Override
        public void announcementsObserved(List<SharedAnnouncement> announcements) {
            connected.announcementsObserved(announcements);
        }
    }

    private Optional<Set<String>> liveMembers() {
        return engine.journal()
                .store()
                .map(seen -> seen.members().stream().map(Member::instanceId).collect(Collectors.toSet()));
    }

    /**
     * Opens topology connectors and accepts those of peers; replaces the connectors that are there. May be called at any time before the
     * instance is closed. The connectors announce what this instance knows as soon as it is settled.
     */
    public void connect(ConnectorSettings settings) {
        Optional<Connectors> before = connected.connectors();
        connected.connect(settings, added -> instance.addOwnClusterListener(added, () -> NAME));
        before.filter(each -> connected.connectors().filter(now -> now == each).isEmpty())
                .ifPresent(instance::removeListener);
    }

    /** Ends all connectors: peers are notified, and what they announced is forgotten. Without connectors it does nothing. */
    public void disconnect() {
        Optional<Connectors> before = connected.connectors();
        connected.disconnect();
        before.ifPresent(instance::removeListener);
    }

    /** Returns what replies to the peers that connect to this instance; empty while connectors are not configured. */
    public Optional<ConnectorEndpoint> endpoint() {
        return connected.connectors().map(Connectors::endpoint);
    }

    /** Sets the port of the servlet container, which peers show; the connectors that are opened next send it. */
    public void setHttpPort(String port) {
        connected.setHttpPort(port);
    }

    /** Sets the path at which a servlet container offers the endpoint, for reports; empty when none does. */
    public void offeredAt(Optional<String> path) {
        connected.offeredAt(path);
    }

    /** Returns the state of the connectors. */
    public ConnectorReport report() {
        return connected.report();
    }

    List<String> problems() {
        return connected.problems();
    }

    void leave() {
        connected.leave();
    }

    CompletableFuture<Void> close() {
        return connected.close();
    }
}
