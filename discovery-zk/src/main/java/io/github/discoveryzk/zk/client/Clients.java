// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

import io.github.discoveryzk.zk.security.ClientSecurity;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.curator.CuratorZookeeperClient;
import org.apache.curator.ensemble.fixed.FixedEnsembleProvider;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;

/**
 * Makes the clients of a connection. Curator owns the present one and replaces it when its session has ended.
 *
 * <p>This class uses Curator's client without its framework. The framework ends a session when it has been disconnected for the session
 * timeout, although the session may live on in the servers, and that cannot be switched off.
 */
final class Clients {
    private static final int CLOSE_MILLIS = 2_500;
    private static final int PASSWORD_LENGTH = 16;

    private final Hosts hosts;
    private final ClientSecurity security;
    private final Function<Client, Session> begin;
    private final BiConsumer<Session, WatchedEvent> process;
    private final CuratorZookeeperClient curator;
    private final AtomicReference<Session> next = new AtomicReference<>();
    private volatile Client present;

    /**
     * Creates no client yet.
     *
     * @param begin makes the session of a new client, before it is used
     * @param trouble accepts a sentence when no server was found for a while, on the thread of a client
     * @param process accepts the events of each client
     */
    Clients(
            Connection.Settings settings,
            ClientSecurity security,
            Function<Client, Session> begin,
            Consumer<String> trouble,
            BiConsumer<Session, WatchedEvent> process) {
        this.hosts = new Hosts(settings.servers().servers(), trouble);
        this.security = security;
        this.begin = begin;
        this.process = process;
        this.curator = new CuratorZookeeperClient(
                this::newClient,
                new FixedEnsembleProvider(settings.servers().serverList(), false),
                settings.sessionTimeoutMillis(),
                settings.sessionTimeoutMillis(),
                CLOSE_MILLIS,
                null,
                new RetryOneTime(1),
                false);
    }

    /** Makes a client in place of the present one. It takes over the session that is given, if any. */
    void replace(Optional<Session> session) throws Exception {
        if (session.isPresent()) {
            present.abandon();
        }
        next.set(session.orElse(null));
        curator.reset();
    }

    /** Ends the present client, although a server was found, and leaves its session to the next one. */
    void giveUp() {
        present.abandon();
        hosts.onConnected();
    }

    /** Returns the server of the last attempt; null before the first. */
    InetSocketAddress lastServer() {
        return hosts.last();
    }

    /** Returns whether the present client was ended so that the next one takes over its session. */
    boolean isAbandoned() {
        return present != null && present.isAbandoned();
    }

    /** Ends the session and waits a bounded time for it. */
    void close() {
        hosts.close();
        // Curator would make a client to close it.
        if (present != null) {
            curator.close();
            if (security.hasTls()) {
                awaitNetty();
            }
        }
    }

    /** Netty ends the thread of a client with TLS two seconds later, and then loads classes that a stopped bundle no longer has. */
    private static void awaitNetty() {
        try {
            for (Thread each : Thread.getAllStackTraces().keySet()) {
                if (each instanceof FastThreadLocalThread) {
                    each.join(CLOSE_MILLIS);
                    if (each.isAlive()) {
                        return; // It belongs to another store.
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private ZooKeeper newClient(String serverList, int timeoutMillis, Watcher curators, boolean readOnly)
            throws Exception {
        CompletableFuture<Session> own = new CompletableFuture<>();
        Watcher watcher = event -> {
            process.accept(own.join(), event);
            curators.process(event);
        };
        ZKClientConfig client = new ZKClientConfig();
        // Only the end of the session waits for its reply, and a stuck client may never get it.
        client.setProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, String.valueOf(CLOSE_MILLIS));
        client.setProperty(ZKConfig.JUTE_MAXBUFFER, String.valueOf(longestReply(client)));
        security.configure(client);
        byte[] authData = security.authData();
        Session before = next.getAndSet(null);
        long id = before == null ? 0 : before.id();
        byte[] password = before == null ? new byte[PASSWORD_LENGTH] : before.password();
        Client handle = new Client(serverList, timeoutMillis, watcher, id, password, hosts, client);
        present = handle;
        if (!security.authScheme().isEmpty()) {
            // It is sent before all requests, because the session that makes them does not exist yet.
            handle.addAuthInfo(security.authScheme(), authData);
        }
        own.complete(begin.apply(handle));
        return handle;
    }

    /** A reply to {@link MultiRead} has as many records as it may have reads. The servers decide how long one is, so only a higher value counts. */
    private static int longestReply(ZKClientConfig client) {
        int usual = ZKClientConfig.CLIENT_MAX_PACKET_LENGTH_DEFAULT;
        int one = Math.max(usual, client.getInt(ZKConfig.JUTE_MAXBUFFER, usual));
        return (int) Math.min(Integer.MAX_VALUE, (long) one * MultiRead.LIMIT);
    }
}
