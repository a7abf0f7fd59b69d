// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.osgi;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.BundleException;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.SynchronousBundleListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets discovery leave before the server stops, when the container stops or the server is exchanged. The order in which a framework stops
 * bundles depends on start levels and on installation; so the bundle with the client of the server is stopped when the framework begins to stop, which
 * is before any other. It starts again with the container.
 */
final class CleanLeave implements SynchronousBundleListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CleanLeave.class);
    private static final long SYSTEM_BUNDLE = 0;
    /** By name, because this bundle works without the package. */
    private static final String CLIENT = "io.github.discoveryzk.spi.ClusterBackend";

    private final BundleContext context;

    CleanLeave(BundleContext context) {
        this.context = context;
        context.addBundleListener(this);
    }

    @Override
    public void bundleChanged(BundleEvent event) {
        if (event.getType() == BundleEvent.STOPPING && event.getBundle().getBundleId() == SYSTEM_BUNDLE) {
            clients().forEach(client -> change(client, false));
        }
    }

    /** Exchanges the server: the clients leave before, and start after it, also if it fails. */
    void during(Runnable exchange) {
        List<Bundle> clients = clients().toList();
        clients.forEach(client -> change(client, false));
        try {
            exchange.run();
        } finally {
            clients.forEach(client -> change(client, true));
        }
    }

    private Stream<Bundle> clients() {
        try {
            return Stream.ofNullable(context.getAllServiceReferences(CLIENT, null))
                    .flatMap(Stream::of)
                    .map(ServiceReference::getBundle)
                    .filter(Objects::nonNull);
        } catch (InvalidSyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static void change(Bundle client, boolean start) {
        try {
            if (start) {
                client.start(Bundle.START_TRANSIENT);
            } else {
                client.stop(Bundle.STOP_TRANSIENT);
            }
        } catch (BundleException | IllegalStateException e) {
            LOG.warn("{} cannot be stopped before the ZooKeeper server, or started after it", client, e);
        }
    }

    @Override
    public void close() {
        context.removeBundleListener(this);
    }
}
