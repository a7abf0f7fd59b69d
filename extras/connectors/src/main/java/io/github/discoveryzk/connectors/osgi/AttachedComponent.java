// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.osgi;

import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.connectors.InstanceConnectors;
import io.github.discoveryzk.connectors.endpoint.ConnectorReply;
import io.github.discoveryzk.connectors.endpoint.ConnectorRequest;
import io.github.discoveryzk.connectors.endpoint.Whiteboard;
import io.github.discoveryzk.spi.LocalInstance;
import java.util.List;
import java.util.Optional;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attaches connectors to the instance of this container, also while none are configured: the instance then shows the clusters that the
 * connectors of other members brought.
 */
@Component(
        // For the component of the configuration; others do not know it.
        service = AttachedComponent.class,
        immediate = true)
public final class AttachedComponent {

    private static final Logger LOG = LoggerFactory.getLogger(AttachedComponent.class);

    /** The framework property in which containers say where they listen; Sling tells its peers the same. */
    private static final String HTTP_PORT = "org.osgi.service.http.port";

    private static final int NOT_FOUND = 404;

    private final InstanceConnectors connectors;
    private final ConnectorEndpoints endpoints;

    @Activate
    public AttachedComponent(BundleContext context, @Reference LocalInstance instance) {
        connectors = new InstanceConnectors(instance, Time.SYSTEM);
        Optional.ofNullable(context.getProperty(HTTP_PORT)).ifPresent(connectors::setHttpPort);
        endpoints = new ConnectorEndpoints(new Whiteboard(context, this::answerPeer, this::setOfferedAt));
    }

    @Deactivate
    void deactivate() {
        endpoints.close();
        connectors.detach();
    }

    /** Opens connectors and the endpoint, or changes them; closes them if the configuration keeps them off. */
    void connect(ConnectorConfiguration configuration) {
        configuration.settings().ifPresentOrElse(connectors::connect, this::disconnect);
        configuration.settings().ifPresent(any -> endpoints.open());
        connectors.describe(configuration.problems());
    }

    /** Closes all connectors and the endpoint. */
    void disconnect() {
        connectors.describe(List.of());
        endpoints.close();
        connectors.disconnect();
    }

    /** Replies to the request of a peer, on a thread of the servlet container. */
    private ConnectorReply answerPeer(ConnectorRequest request) {
        return connectors
                .endpoint()
                .map(endpoint -> endpoint.handle(request))
                .orElseGet(() -> ConnectorReply.of(NOT_FOUND));
    }

    /** Sets the path at which peers reach this instance; empty for none. */
    private void setOfferedAt(Optional<String> path) {
        path.ifPresent(at -> LOG.info("Connectors of peers are accepted at {}", at));
        connectors.offeredAt(path);
    }
}
