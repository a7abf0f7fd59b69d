// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.CuratorZookeeperClient;
import org.apache.curator.ensemble.fixed.FixedEnsembleProvider;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to ZooKeeper. Curator owns the client's handle and replaces it when its session has ended; this class hears
 * each handle's session events in order with its watch events and replies, which Curator's own listeners would not.
 *
 * <p>This is Curator's client without its framework on top: the framework ends a session by itself when it has heard nothing
 * for the session timeout, although the session may live on in the servers, and that cannot be switched off.
 */
public final class Connection {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);
    private static final int CLOSE_MILLIS = 2_500;
    private static final long TEND_MILLIS = 5_000;

    private final ConnectString servers;
    private final int requestedTimeoutMillis;
    private final String probedPath;
    private final StoreThread thread;
    private final Listener listener;
    private final Hosts hosts;
    private final CuratorZookeeperClient curator;
    private final Watchdog watchdog = new Watchdog();
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger rebuilt = new AtomicInteger();
    private Session handle;
    private long roundTrips;
    private long session;
    private boolean connected;
    private boolean replacing;
    private boolean closed;

    /**
     * Creates a connection that is not open yet.
     *
     * @param sessionTimeoutMillis the session timeout that is requested; the servers may grant another one
     * @param probedPath the path of a node that is read to see whether the servers reply; it need not exist
     */
    public Connection(
            ConnectString servers, int sessionTimeoutMillis, String probedPath, StoreThread thread, Listener listener) {
        this.servers = servers;
        this.requestedTimeoutMillis = sessionTimeoutMillis;
        this.probedPath = probedPath;
        this.thread = thread;
        this.listener = listener;
        this.hosts = new Hosts(servers.servers(), sentence -> thread.execute(() -> unreachable(sentence)));
        this.curator = new CuratorZookeeperClient(
                this::newHandle,
                new FixedEnsembleProvider(servers.serverList(), false),
                sessionTimeoutMillis,
                sessionTimeoutMillis,
                CLOSE_MILLIS,
                null,
                new RetryOneTime(1),
                false);
    }

    /** Starts connecting. */
    public void open() {
        try {
            curator.start();
        } catch (Throwable e) { // No thread to be had is an Error; another time there will be.
            LOG.warn("Could not make the ZooKeeper client, trying again: {}", e.toString());
        }
        thread.schedule(TEND_MILLIS, this::tend);
        beatLater();
    }

    /** Returns how many clients were made so far. */
    int made() {
        return made.get();
    }

    /** Returns how often a client was given up because nothing came back. */
    public int rebuilt() {
        return rebuilt.get();
    }

    /** Ends the session and waits a bounded time for it. */
    public void close() {
        closed = true;
        hosts.close();
        curator.close();
    }

    private ZooKeeper newHandle(String serverList, int timeoutMillis, Watcher curators, boolean readOnly)
            throws Exception {
        CompletableFuture<Session> told = new CompletableFuture<>();
        Watcher watcher = event -> {
            Session teller = told.join();
            thread.execute(() -> changed(teller, event));
            curators.process(event);
        };
        ZKClientConfig client = new ZKClientConfig();
        // Of what is asked here only the end of the session waits for its reply, and a stuck client may never get it.
        client.setProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, String.valueOf(CLOSE_MILLIS));
        ZooKeeper zooKeeper = new ZooKeeper(serverList, timeoutMillis, watcher, readOnly, hosts, client);
        Session next = new Session(zooKeeper, thread, () -> roundTrips++);
        made.incrementAndGet();
        thread.execute(() -> {
            if (connected) {
                // What was to tell of the loss came too late to be heard.
                lost(handle);
            }
            handle = next;
            replacing = false;
        });
        told.complete(next);
        return zooKeeper;
    }

    private void changed(Session told, WatchedEvent event) {
        if (told != handle || replacing || event.getType() != EventType.None || closed) {
            return;
        }
        switch (event.getState()) {
            case SyncConnected -> connected(told);
            case Disconnected, Closed -> lost(told);
            case Expired -> {
                lost(told);
                expired();
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

    private void connected(Session told) {
        told.interrupted();
        if (session != 0 && session != told.session()) {
            expired();
        }
        session = told.session();
        connected = true;
        roundTrips++;
        listener.connected(told);
    }

    private void lost(Session told) {
        connected = false;
        told.interrupted();
        listener.disconnected();
    }

    private void expired() {
        session = 0;
        listener.expired();
    }

    private void unreachable(String sentence) {
        if (!closed && !listener.isConnected()) {
            listener.troubled(sentence);
        }
    }

    /** Replaces a handle that has died without Curator's replacing it, as it does when authentication fails. */
    void tend() {
        if (closed) {
            return;
        }
        if (!replacing && (handle == null || !handle.isAlive())) {
            replace();
        }
        thread.schedule(TEND_MILLIS, this::tend);
    }

    private void beatLater() {
        thread.schedule(Watchdog.beatMillis(sessionTimeoutMillis()), this::beat);
    }

    void beat() {
        if (closed) {
            return;
        }
        switch (watchdog.beat(roundTrips)) {
            case ASK -> ask();
            case REBUILD -> rebuild();
            default -> LOG.trace("{} round trips so far", roundTrips);
        }
        beatLater();
    }

    private void ask() {
        if (connected) {
            handle.exists(probedPath).whenComplete((stat, thrown) -> LOG.trace("Answered {}", stat));
        }
    }

    private void rebuild() {
        rebuilt.incrementAndGet();
        LOG.warn(
                "Nothing has come back from ZooKeeper at {} for {} ms, {}. The client is made anew.",
                servers.serverList(),
                Watchdog.limitMillis(sessionTimeoutMillis()),
                connected ? "although the client says that it is connected" : "and there is no connection");
        if (connected) {
            listener.troubled("ZooKeeper at " + servers.serverList() + " accepts connections and answers nothing. Check"
                    + " whether the servers have a quorum; this instance keeps trying.");
        }
        if (handle != null) {
            lost(handle);
        }
        replace();
    }

    /** What the old handle still tells is not heard any more; its session ends by itself if it cannot be ended. */
    private void replace() {
        replacing = true;
        try {
            curator.reset();
        } catch (Throwable e) { // No thread to be had is an Error; another time there will be.
            replacing = false;
            LOG.warn("Could not replace the ZooKeeper client: {}", e.toString());
        }
    }

    private int sessionTimeoutMillis() {
        int granted = handle == null ? 0 : handle.sessionTimeoutMillis();
        return granted > 0 ? granted : requestedTimeoutMillis;
    }

    /** Hears of connections and sessions, on the store's thread. */
    public interface Listener {
        void connected(Session handle);

        void disconnected();

        void expired();

        void troubled(String sentence);

        boolean isConnected();
    }
}
