// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.spi.ClusterStore;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.StoreObserver;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever happens inside: each request is replied, and the next ones are carried out. */
class RequestsTest {
    private TestServer server;
    private OddStore store;
    private Witness a;

    @BeforeEach
    void connect(@TempDir Path data) throws Exception {
        server = new TestServer(data);
        store = new OddStore(server.address());
        a = new Witness("a", store);
        a.sees(any -> true);
    }

    @AfterEach
    void disconnect() {
        a.close();
        server.close();
    }

    @Test
    void replyThatMakesNoSenseIsAnOutcomeToo() {
        store.zooKeeper.oddity = Oddity.NO_STAT;
        assertRefusedAndGoingOn("SYSTEMERROR");
    }

    @Test
    void failureWhileSendingIsAnOutcomeToo() {
        store.zooKeeper.oddity = Oddity.THROWS;
        assertRefusedAndGoingOn("thrown by a test");
    }

    private void assertRefusedAndGoingOn(String why) {
        Outcome outcome = a.ask(new Request.Confirm());
        assertThat(outcome.status()).isEqualTo(Status.REFUSED);
        assertThat(outcome.detail()).contains(why);
        store.zooKeeper.oddity = Oddity.NONE;
        a.does(new Request.Confirm());
    }

    @Test
    void rereadingThatWaitsOnAnEarlierConnectionDoesNotKeepALaterOneFromIt() throws Exception {
        String lease = "/sling/discovery/clusters/default/lease";
        try (Witness b = new Witness("b", new ZooKeeperStore(ZooKeeperStoreConfig.of(server.address())))) {
            Member own = b.join();
            Request renewal =
                    new Request.Renew(own.node(), b.snapshot().get().slot().version());
            for (int connects = 2; connects < 5; connects++) {
                server.delete(lease);
                assertThat(b.ask(renewal).status()).isEqualTo(Status.OVERTAKEN);
                server.drop(b.session());
                int expected = connects;
                await().atMost(Witness.LONG)
                        .until(() -> b.told(Witness.Connected.class).size() == expected);
                b.sees(any -> server.exists(lease));
            }
            b.does(new Request.Confirm());
            server.delete(lease);
            assertThat(b.ask(renewal).status()).isEqualTo(Status.OVERTAKEN);
            await().atMost(Witness.LONG).until(() -> server.exists(lease));
            b.does(renewal);
        }
    }

    private enum Oddity {
        NONE,
        NO_STAT,
        THROWS
    }

    /** A client that misbehaves on demand. */
    @SuppressWarnings("try")
    private static final class OddZooKeeper extends ZooKeeper {
        private volatile Oddity oddity = Oddity.NONE;

        private OddZooKeeper(String servers, Watcher watcher) throws IOException {
            super(servers, 10_000, watcher);
        }

        @Override
        public void exists(String path, boolean watch, StatCallback callback, Object context) {
            switch (oddity) {
                case NONE -> super.exists(path, watch, callback, context);
                case NO_STAT -> callback.processResult(Code.OK.intValue(), path, context, null);
                case THROWS -> throw new IllegalStateException("thrown by a test");
            }
        }
    }

    /** The parts of a store that come behind its connection. */
    private static final class OddStore implements ClusterStore {
        private final String servers;
        private final StoreThread thread = new StoreThread("requests-test");
        private OddZooKeeper zooKeeper;
        private Requests requests;

        private OddStore(String servers) {
            this.servers = servers;
        }

        @Override
        public void open(StoreObserver observer) {
            Paths paths = ZooKeeperStoreConfig.of(servers).paths();
            Teller teller = new Teller(observer);
            Replica replica = new Replica(paths, Codecs.CURRENT, thread, teller, () -> {});
            requests = new Requests(paths, replica, teller);
            try {
                zooKeeper = new OddZooKeeper(servers, event -> {});
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            Handle handle = new Handle(zooKeeper, thread, () -> {});
            thread.execute(() -> replica.connected(handle));
        }

        @Override
        public void request(Request request) {
            thread.execute(() -> requests.send(request));
        }

        @Override
        public void collect(boolean acknowledgements) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            try {
                zooKeeper.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            thread.end(1_000);
        }
    }
}
