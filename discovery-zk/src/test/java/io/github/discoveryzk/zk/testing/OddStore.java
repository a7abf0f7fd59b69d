// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.testing;

import io.github.discoveryzk.spi.AnnouncementBoard;
import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.spi.StoreObserver;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import io.github.discoveryzk.zk.cache.ClusterCache;
import io.github.discoveryzk.zk.cache.ObserverNotifier;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.client.StoreThread;
import io.github.discoveryzk.zk.requests.Requests;
import io.github.discoveryzk.zk.security.Access;
import io.github.discoveryzk.zk.tree.Codecs;
import io.github.discoveryzk.zk.tree.Paths;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** The parts of a store that come behind its connection, with a client that misbehaves on demand. */
public final class OddStore implements ClusterStore {
    private final String servers;
    private final StoreThread thread = new StoreThread("odd-store");
    private OddClient client;
    private Session session;
    private ClusterCache cache;
    private Requests requests;

    public OddStore(String servers) {
        this.servers = servers;
    }

    public OddClient client() {
        return client;
    }

    public long session() {
        return client.getSessionId();
    }

    @Override
    public void open(StoreObserver observer) {
        Paths paths = ZooKeeperStoreConfig.of(servers).paths();
        ObserverNotifier notifier = new ObserverNotifier(observer, AnnouncementBoard.Observer.NONE);
        cache = new ClusterCache(paths, Codecs.CURRENT, thread, notifier, () -> {}, () -> {});
        requests = new Requests(paths, Codecs.CURRENT, cache, notifier);
        try {
            client = new OddClient(servers);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        session = new Session(client, Access.OPEN.entries(), thread, (source, reply) -> {}, lost -> {});
        thread.execute(() -> cache.start(session));
    }

    /** Waits until everything that has arrived was processed. */
    public void awaitIdle() {
        CompletableFuture.runAsync(() -> {}, thread).join();
    }

    /** Has the store believe that the connection was lost and is there again. */
    public void reconnect() {
        thread.execute(() -> {
            session.endConnection();
            cache.stop();
            requests.failPending();
            cache.start(session);
        });
    }

    @Override
    public void request(Request request) {
        thread.execute(() -> requests.send(request));
    }

    @Override
    public void collect(boolean acknowledgements) {
        thread.execute(() -> cache.collect(acknowledgements));
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.shutDown(1_000);
    }
}
