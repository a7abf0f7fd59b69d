// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

import io.github.discoveryzk.zk.security.Access;
import io.github.discoveryzk.zk.security.ClientSecurity;
import io.github.discoveryzk.zk.security.Security;
import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to ZooKeeper: one client after the other. This class gets the session events of each client in order with its watch
 * events and replies, which Curator's own listeners would not.
 */
public final class Connection {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);
    private static final long DEAD_CLIENT_CHECK_MILLIS = 2_000;

    private final Settings settings;
    private final StoreThread thread;
    private final Listener listener;
    private final Clients clients;
    private final Watchdog watchdog = new Watchdog();
    private final OutageLog outages;
    private final ClientSecurity security;
    private final Backoff backoff = new Backoff();
    private Session session;
    private long sessionId;
    private boolean replacing;
    private boolean closed;

    /**
     * What a connection needs to know.
     *
     * @param sessionTimeoutMillis the session timeout that is requested; the servers may grant another one
     * @param probedPath the path of a node that is read to see whether the servers reply; it need not exist
     * @param security how to authenticate and encrypt
     * @param access the rights to each node that is created
     */
    public record Settings(
            ConnectString servers, int sessionTimeoutMillis, String probedPath, Security security, Access access) {}

    /** Creates a connection that is not open yet. */
    public Connection(Settings settings, StoreThread thread, Listener listener) {
        this.settings = settings;
        this.thread = thread;
        this.listener = listener;
        String servers = settings.servers().serverList();
        this.security = new ClientSecurity(settings.security(), servers, thread::millis);
        this.outages = new OutageLog(servers, thread::millis, LOG::warn, LOG::info);
        this.clients = new Clients(
                settings,
                security,
                this::begin,
                this::explainTrouble,
                (source, event) -> thread.execute(() -> processSessionEvent(source, event)));
    }

    /** Starts connecting. */
    public void open() {
        outages.open();
        replaceClient(false);
        thread.schedule(DEAD_CLIENT_CHECK_MILLIS, this::checkClient);
        thread.schedule(Watchdog.intervalMillis(sessionTimeoutMillis()), this::checkReplies);
    }

    /** Returns how often a client was replaced because no reply had arrived. */
    public int clientsReplaced() {
        return watchdog.replacements();
    }

    /** Ends the session and waits a bounded time for it. */
    public void close() {
        closed = true;
        clients.close();
        security.close();
    }

    private Session begin(Client client) {
        Session next =
                new Session(client, settings.access().entries(), thread, this::processReply, this::processDisconnect);
        thread.execute(() -> {
            if (isConnected()) {
                // The disconnect event of the old client arrives after its replacement and is ignored.
                handleLost(session);
            }
            if (session != null) {
                next.isOfOldServer = session.isOfOldServer;
            }
            session = next;
            replacing = false;
        });
        return next;
    }

    void processSessionEvent(Session source, WatchedEvent event) {
        if (source != session || replacing || event.getType() != EventType.None || closed) {
            return;
        }
        // The client reports a login that it cannot even begin without a state.
        switch (event.getState() == null ? KeeperState.AuthFailed : event.getState()) {
            case SyncConnected -> handleConnected(source);
            case Disconnected, Closed -> handleLost(source);
            case Expired -> {
                handleLost(source);
                handleExpired();
            }
            case AuthFailed -> {
                listener.troubled(security.rejected());
                if (!source.isAlive() || security.hasSasl()) {
                    giveUpClient();
                }
            }
            default -> LOG.debug("Session event {}", event);
        }
    }

    private void processReply(Session source, Code code) {
        if (source != session || replacing || closed) {
            return;
        }
        if (code == Code.SESSIONCLOSEDREQUIRESASLAUTH) {
            listener.troubled(security.required());
            giveUpClient();
        } else {
            watchdog.reply();
            outages.connected();
            backoff.reset();
        }
    }

    /** Ends a client that would try again each second, or go on without its login. The next one takes over its session. */
    private void giveUpClient() {
        handleLost(session);
        clients.giveUp();
    }

    private void processDisconnect(Session source) {
        if (isConnected() && source == session && !replacing && !closed) {
            handleLost(source);
        }
    }

    private void handleConnected(Session source) {
        if (!source.isAlive()) {
            return;
        }
        if (isConnected()) {
            // The client has not reported the loss of the connection before.
            handleLost(source);
        }
        source.beginConnection();
        if (sessionId != 0 && sessionId != source.id()) {
            handleExpired();
        }
        sessionId = source.id();
        watchdog.reply();
        if (!source.hasTakenOver()) {
            listener.connected(source);
            return;
        }
        // A client that has taken over a session does not know how much its predecessor has seen, and the server may be
        // behind.
        source.sync(settings.probedPath()).thenRun(() -> {
            if (source == session && isConnected()) {
                listener.connected(source);
            }
        });
    }

    private void handleLost(Session source) {
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

    /** Runs on the client's thread, which waits for the explanation before its next attempt. */
    private void explainTrouble(String sentence) {
        String explained = security.explain(clients.lastServer(), sentence);
        thread.execute(() -> {
            if (!closed && !isConnected()) {
                listener.troubled(explained);
            }
        });
    }

    private void checkClient() {
        if (closed) {
            return;
        }
        outages.remind();
        if (security.haveFilesChanged()) {
            LOG.info("Files with keys or secrets have changed. This instance connects again, with the same session.");
            backoff.reset();
            // This interruption is worth a warning only if it lasts.
            outages.open();
            replaceClient(true);
        }
        replaceDeadClient();
        thread.schedule(DEAD_CLIENT_CHECK_MILLIS, this::checkClient);
    }

    /** Replaces a client that has ended and that Curator does not replace, for example after a failed authentication. */
    void replaceDeadClient() {
        if (!closed && !replacing && (session == null || !session.isAlive()) && backoff.isDue(thread.millis())) {
            replaceClient(clients.isAbandoned());
        }
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
        thread.schedule(Watchdog.intervalMillis(sessionTimeoutMillis()), this::checkReplies);
    }

    private boolean isConnected() {
        return session != null && session.isConnected();
    }

    private void probe() {
        if (isConnected()) {
            session.exists(settings.probedPath()).whenComplete((stat, thrown) -> LOG.trace("Answered {}", stat));
        }
    }

    private void replaceSilentClient() {
        if (session != null && !session.isAlive()) {
            return;
        }
        // Without a connection the outage is reported already.
        if (isConnected()) {
            listener.troubled(
                    "ZooKeeper at " + settings.servers().serverList() + " accepts connections and does not reply. Check"
                            + " whether the servers have a quorum; this instance keeps trying.");
        }
        if (session != null) {
            handleLost(session);
        }
        replaceClient(false);
    }

    /**
     * Replaces the client, unless its keys or secrets cannot be used. Events of the old client are ignored from now on. Its session
     * expires if it is not kept and cannot be ended.
     */
    private void replaceClient(boolean keepsSession) {
        backoff.attempt(thread.millis());
        Optional<String> problem = security.problem();
        if (problem.isPresent()) {
            listener.troubled(problem.get());
            return;
        }
        replacing = true;
        try {
            clients.replace(Optional.ofNullable(session)
                    .filter(kept -> keepsSession && sessionId != 0 && sessionId == kept.id()));
        } catch (Throwable e) { // The failure to create a thread is an Error; a later attempt may succeed.
            replacing = false;
            LOG.warn("Could not create the ZooKeeper client, trying again: {}", e.toString());
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
