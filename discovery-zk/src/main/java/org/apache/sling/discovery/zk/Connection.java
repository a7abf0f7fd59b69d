// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import java.util.concurrent.CompletableFuture;
import org.apache.curator.CuratorZookeeperClient;
import org.apache.curator.ensemble.fixed.FixedEnsembleProvider;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to ZooKeeper. Curator owns the client's handle and replaces it when its session has ended; this class hears
 * each handle's session events in order with its watch events and replies, which Curator's own listeners would not.
 *
 * <p>This is Curator's client without its framework on top: the framework ends a session by itself when it has heard nothing
 * for the session timeout, although the session may live on in the servers, and that cannot be switched off.
 */
final class Connection {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);
    private static final int CLOSE_MILLIS = 2_500;
    private static final long TEND_MILLIS = 5_000;

    private final StoreThread thread;
    private final Listener listener;
    private final Hosts hosts;
    private final CuratorZookeeperClient curator;
    private Handle handle;
    private boolean closed;

    Connection(ZooKeeperStoreConfig config, StoreThread thread, Listener listener) {
        this.thread = thread;
        this.listener = listener;
        this.hosts = new Hosts(config.servers(), sentence -> thread.execute(() -> unreachable(sentence)));
        this.curator = new CuratorZookeeperClient(
                this::newHandle,
                new FixedEnsembleProvider(config.serverList(), false),
                config.sessionTimeoutMillis(),
                config.sessionTimeoutMillis(),
                CLOSE_MILLIS,
                null,
                new RetryOneTime(1),
                false);
    }

    /** Starts connecting. */
    void open() {
        try {
            curator.start();
        } catch (Exception e) {
            LOG.warn("Could not make the ZooKeeper client, trying again: {}", e.toString());
        }
        thread.schedule(TEND_MILLIS, this::tend);
    }

    /** Ends the session and waits a bounded time for it. */
    void close() {
        closed = true;
        hosts.close();
        curator.close();
    }

    private ZooKeeper newHandle(String servers, int timeoutMillis, Watcher curators, boolean readOnly)
            throws Exception {
        CompletableFuture<Handle> made = new CompletableFuture<>();
        Watcher watcher = event -> {
            Handle told = made.join();
            thread.execute(() -> changed(told, event));
            curators.process(event);
        };
        ZooKeeper zooKeeper = new ZooKeeper(servers, timeoutMillis, watcher, readOnly, hosts);
        Handle next = new Handle(zooKeeper, thread, () -> {});
        thread.execute(() -> handle = next);
        made.complete(next);
        return zooKeeper;
    }

    private void changed(Handle told, WatchedEvent event) {
        if (told != handle || event.getType() != EventType.None || closed) {
            return;
        }
        switch (event.getState()) {
            case SyncConnected -> {
                told.interrupted();
                listener.connected(told);
            }
            case Disconnected, Closed -> lost(told);
            case Expired -> {
                lost(told);
                listener.expired();
            }
            case AuthFailed -> {
                listener.troubled(
                        "ZooKeeper does not accept the credentials of this instance, or the login failed. Check"
                                + " the login configuration; this instance keeps trying.");
                if (!told.isAlive()) {
                    lost(told);
                }
            }
            default -> LOG.debug("Session event {}", event);
        }
    }

    private void lost(Handle told) {
        told.interrupted();
        listener.disconnected();
    }

    private void unreachable(String sentence) {
        if (!closed && !listener.isConnected()) {
            listener.troubled(sentence);
        }
    }

    /** Replaces a handle that has died without Curator's replacing it, as it does when authentication fails. */
    private void tend() {
        if (closed) {
            return;
        }
        if (handle == null || !handle.isAlive()) {
            try {
                curator.reset();
            } catch (Exception e) {
                LOG.warn("Could not replace the ZooKeeper client: {}", e.toString());
            }
        }
        thread.schedule(TEND_MILLIS, this::tend);
    }

    /** Hears of connections and sessions, on the store's thread. */
    interface Listener {
        void connected(Handle handle);

        void disconnected();

        void expired();

        void troubled(String sentence);

        boolean isConnected();
    }
}
