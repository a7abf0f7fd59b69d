// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.curator.CuratorZookeeperClient;
import org.apache.curator.ensemble.fixed.FixedEnsembleProvider;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to ZooKeeper. Curator owns the client and replaces it when its session has ended. This class gets the session events of
 * each client in order with its watch events and replies, which Curator's own listeners would not.
 *
 * <p>This class uses Curator's client without its framework. The framework ends a session when it has been disconnected for the session
 * timeout, although the session may live on in the servers, and that cannot be switched off.
 */
public final class Connection {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);
    private static final int CLOSE_MILLIS = 2_500;
    private static final long DEAD_CLIENT_CHECK_MILLIS = 5_000;

    private final Settings settings;
    private final StoreThread thread;
    private final Listener listener;
    private final Hosts hosts;
    private final CuratorZookeeperClient curator;
    private final Watchdog watchdog = new Watchdog();
    private final OutageLog outages;
    private Supplier<SocketAddress> localAddress = () -> null;
    private Session session;
    private long sessionId;
    private boolean connected;
    private boolean replacing;
    private boolean closed;

    /**
     * What a connection needs to know.
     *
     * @param sessionTimeoutMillis the session timeout that is requested; the servers may grant another one
     * @param probedPath the path of a node that is read to see whether the servers reply; it need not exist
     */
    public record Settings(ConnectString servers, int sessionTimeoutMillis, String probedPath) {
        private String serverList() {
            return servers.serverList();
        }
    }

    /** Creates a connection that is not open yet. */
    public Connection(Settings settings, StoreThread thread, Listener listener) {
        this.settings = settings;
        this.thread = thread;
        this.listener = listener;
        this.hosts =
                new Hosts(settings.servers().servers(), sentence -> thread.execute(() -> handleUnreachable(sentence)));
        this.outages = new OutageLog(settings.serverList(), thread::millis, LOG::warn, LOG::info);
        this.curator = new CuratorZookeeperClient(
                this::newClient,
                new FixedEnsembleProvider(settings.serverList(), false),
                settings.sessionTimeoutMillis(),
                settings.sessionTimeoutMillis(),
                CLOSE_MILLIS,
                null,
                new RetryOneTime(1),
                false);
    }

    /** Starts connecting. */
    public void open() {
        outages.open();
        try {
            curator.start();
        } catch (Throwable e) { // The failure to create a thread is an Error; a later attempt may succeed.
            LOG.warn("Could not create the ZooKeeper client, trying again: {}", e.toString());
        }
        thread.schedule(DEAD_CLIENT_CHECK_MILLIS, this::replaceDeadClient);
        scheduleCheck();
    }

    /** Returns the local address of the last connection; empty before the first. */
    public Optional<InetAddress> localAddress() {
        return localAddress.get() instanceof InetSocketAddress local
                ? Optional.ofNullable(local.getAddress())
                : Optional.empty();
    }

    /** Returns how often a client was replaced because no reply had arrived. */
    public int clientsReplaced() {
        return watchdog.replacements();
    }

    /** Ends the session and waits a bounded time for it. */
    public void close() {
        closed = true;
        hosts.close();
        curator.close();
    }

    private ZooKeeper newClient(String serverList, int timeoutMillis, Watcher curators, boolean readOnly)
            throws Exception {
        CompletableFuture<Session> own = new CompletableFuture<>();
        Watcher watcher = event -> {
            Session source = own.join();
            thread.execute(() -> processSessionEvent(source, event));
            curators.process(event);
        };
        ZKClientConfig client = new ZKClientConfig();
        // Only the end of the session waits for its reply, and a stuck client may never get it.
        client.setProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, String.valueOf(CLOSE_MILLIS));
        client.setProperty(ZKConfig.JUTE_MAXBUFFER, String.valueOf(longestReply(client)));
        @SuppressWarnings("try") // The end of an anonymous client may be interrupted like that of any other.
        var zooKeeper = new ZooKeeper(serverList, timeoutMillis, watcher, readOnly, hosts, client) {
            SocketAddress localAddress() {
                return testableLocalSocketAddress();
            }
        };
        Session next = new Session(zooKeeper, thread, watchdog::reply, this::processDisconnect);
        thread.execute(() -> {
            if (connected) {
                // The disconnect event of the old client arrives after its replacement and is ignored.
                handleLost(session);
            }
            session = next;
            localAddress = zooKeeper::localAddress;
            replacing = false;
        });
        own.complete(next);
        return zooKeeper;
    }

    /** A reply to {@link MultiRead} has as many records as it may have reads. What the operator has configured is not reduced. */
    private static int longestReply(ZKClientConfig client) {
        int one = client.getInt(ZKConfig.JUTE_MAXBUFFER, ZKClientConfig.CLIENT_MAX_PACKET_LENGTH_DEFAULT);
        return (int) Math.min(Integer.MAX_VALUE, (long) one * MultiRead.LIMIT);
    }

    void processSessionEvent(Session source, WatchedEvent event) {
        if (source != session || replacing || event.getType() != EventType.None || closed) {
            return;
        }
        switch (event.getState()) {
            case SyncConnected -> handleConnected(source);
            case Disconnected, Closed -> handleLost(source);
            case Expired -> {
                handleLost(source);
                handleExpired();
            }
            case AuthFailed -> {
                listener.troubled(
                        "ZooKeeper does not accept the credentials of this instance, or the login failed. Check"
                                + " the login configuration; this instance keeps trying.");
                if (!source.isAlive()) {
                    handleLost(source);
                }
            }
            default -> LOG.debug("Session event {}", event);
        }
    }

    private void processDisconnect(Session source) {
        if (connected && source == session && !replacing && !closed) {
            handleLost(source);
        }
    }

    private void handleConnected(Session source) {
        if (connected) {
            // The client has not reported the loss of the connection before.
            handleLost(source);
        }
        source.endConnection();
        if (sessionId != 0 && sessionId != source.id()) {
            handleExpired();
        }
        sessionId = source.id();
        connected = true;
        outages.connected();
        watchdog.reply();
        listener.connected(source);
    }

    private void handleLost(Session source) {
        connected = false;
        if (!closed) {
            outages.lost();
        }
        source.endConnection();
        listener.disconnected();
    }

    private void handleExpired() {
        sessionId = 0;
        listener.expired();
    }

    private void handleUnreachable(String sentence) {
        if (!closed && !connected) {
            listener.troubled(sentence);
        }
    }

    /** Replaces a client that has ended and that Curator does not replace, for example after a failed authentication. */
    void replaceDeadClient() {
        if (closed) {
            return;
        }
        outages.remind();
        if (!replacing && (session == null || !session.isAlive())) {
            replaceClient();
        }
        thread.schedule(DEAD_CLIENT_CHECK_MILLIS, this::replaceDeadClient);
    }

    private void scheduleCheck() {
        thread.schedule(Watchdog.intervalMillis(sessionTimeoutMillis()), this::checkReplies);
    }

    void checkReplies() {
        if (closed) {
            return;
        }
        switch (watchdog.check()) {
            case PROBE -> probe();
            case REPLACE -> replaceSilentClient();
            default -> LOG.trace("Replies have arrived, or not for long");
        }
        scheduleCheck();
    }

    private void probe() {
        if (connected) {
            session.exists(settings.probedPath()).whenComplete((stat, thrown) -> LOG.trace("Answered {}", stat));
        }
    }

    private void replaceSilentClient() {
        // Without a connection the outage is in the log already.
        if (connected) {
            LOG.warn(
                    "No reply has arrived from ZooKeeper at {} for {} ms, although the client says that it is connected."
                            + " The client is replaced.",
                    settings.serverList(),
                    Watchdog.timeoutMillis(sessionTimeoutMillis()));
            listener.troubled("ZooKeeper at " + settings.serverList() + " accepts connections and does not reply. Check"
                    + " whether the servers have a quorum; this instance keeps trying.");
        }
        if (session != null) {
            handleLost(session);
        }
        replaceClient();
    }

    /** Replaces the client. Events of the old client are ignored from now on, and its session expires if it cannot be ended. */
    private void replaceClient() {
        replacing = true;
        try {
            curator.reset();
        } catch (Throwable e) { // The failure to create a thread is an Error; a later attempt may succeed.
            replacing = false;
            LOG.warn("Could not replace the ZooKeeper client: {}", e.toString());
        }
    }

    private int sessionTimeoutMillis() {
        int granted = session == null ? 0 : session.sessionTimeoutMillis();
        return granted > 0 ? granted : settings.sessionTimeoutMillis();
    }

    /** Is notified of connections and sessions, on the store's thread. */
    public interface Listener {
        void connected(Session session);

        void disconnected();

        void expired();

        void troubled(String sentence);
    }
}
