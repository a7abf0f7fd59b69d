// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.testing.server.TestServer;
import org.apache.sling.discovery.zk.testing.Witness;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectionTest {
    private final List<String> told = Collections.synchronizedList(new ArrayList<>());
    private final List<Integer> numbers = Collections.synchronizedList(new ArrayList<>());
    private volatile Session handle;
    private final StoreThread thread = new StoreThread("connection-test");

    private final Connection.Listener listener = new Connection.Listener() {
        @Override
        public void connected(Session connected) {
            handle = connected;
            numbers.add(connected.connectionNumber());
            told.add("connected");
        }

        @Override
        public void disconnected() {
            told.add("disconnected");
            numbers.add(handle.connectionNumber());
        }

        @Override
        public void expired() {
            told.add("expired");
        }

        @Override
        public void troubled(String sentence) {
            told.add(sentence);
        }

        @Override
        public boolean isConnected() {
            return told.contains("connected");
        }
    };

    private Connection connection(TestServer server) {
        return new Connection(ConnectString.parse(server.address()), 10_000, "/sling/discovery", thread, listener);
    }

    @Test
    void makesNoClientAnyMoreOnceItIsClosed(@TempDir Path data) throws Exception {
        try (TestServer server = new TestServer(data)) {
            Connection connection = connection(server);
            thread.execute(connection::open);
            await().atMost(Witness.LONG).until(() -> told.contains("connected"));
            thread.execute(() -> {
                connection.close();
                for (int i = 0; i < 20; i++) {
                    connection.replaceDeadClient();
                    connection.checkReplies();
                }
                told.add("tended");
            });
            await().atMost(Witness.LONG).until(() -> told.contains("tended"));
            assertThat(connection.clientsCreated()).isEqualTo(1);
            assertThat(connection.clientsReplaced()).isZero();
            assertThat(told).containsExactly("connected", "tended");
        } finally {
            thread.shutDown(1_000);
        }
    }

    @Test
    void clientThatIsReplacedBeforeItsEndWasHeardCountsAsLost(@TempDir Path data) throws Exception {
        try (TestServer server = new TestServer(data)) {
            Connection connection = connection(server);
            thread.execute(connection::open);
            await().atMost(Witness.LONG).until(() -> told.contains("connected"));
            Session first = handle;
            // What the client tells of its end waits for this thread meanwhile.
            thread.execute(() -> {
                server.expire(first.id());
                await().atMost(Witness.LONG).until(() -> !first.isAlive());
                connection.replaceDeadClient();
            });
            await().atMost(Witness.LONG).until(() -> handle != first);
            assertThat(told).startsWith("connected", "disconnected", "expired").endsWith("connected");
            thread.execute(connection::close);
        } finally {
            thread.shutDown(1_000);
        }
    }

    @Test
    void eachConnectEndsTheConnectionBeforeAndAnEarlierClientEndsNone(@TempDir Path data) throws Exception {
        try (TestServer server = new TestServer(data)) {
            Connection connection = connection(server);
            try {
                connectTwiceAndExpire(server, connection);
            } finally {
                thread.execute(connection::close);
                thread.shutDown(1_000);
            }
        }
    }

    private void connectTwiceAndExpire(TestServer server, Connection connection) throws Exception {
        thread.execute(connection::open);
        await().atMost(Witness.LONG).until(() -> told.contains("connected"));
        Session first = handle;
        server.drop(first.id());
        await().atMost(Witness.LONG).until(() -> Collections.frequency(told, "connected") == 2);
        assertThat(numbers).doesNotHaveDuplicates().hasSize(3);

        server.expire(first.id());
        await().atMost(Witness.LONG).until(() -> handle != first);
        List<String> before = List.copyOf(told);
        CompletableFuture.runAsync(
                        () -> connection.processSessionEvent(
                                first, new WatchedEvent(EventType.None, KeeperState.Disconnected, null)),
                        thread)
                .join();
        assertThat(told).isEqualTo(before);
    }

    @Test
    void clientThatCannotBeMadeForWantOfThreadsIsTriedAgain(@TempDir Path data) throws Exception {
        System.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, OutOfThreads.class.getName());
        try (TestServer server = new TestServer(data)) {
            Connection connection = connection(server);
            thread.execute(connection::open);
            thread.execute(connection::replaceDeadClient);
            thread.execute(() -> System.clearProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET));
            await().atMost(Witness.LONG).until(() -> told.contains("connected"));
            thread.execute(connection::close);
        } finally {
            System.clearProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET);
            thread.shutDown(1_000);
        }
    }

    @Test
    void threadThatHasEndedDropsWhatItIsGiven() {
        thread.execute(() -> told.add("ran"));
        thread.shutDown(1_000);
        assertThatCode(() -> {
                    thread.execute(() -> told.add("late"));
                    thread.schedule(0, () -> told.add("late"));
                    thread.shutDown(1_000);
                })
                .doesNotThrowAnyException();
        assertThat(told).containsExactly("ran");
    }

    /** Cannot even be loaded, with an error as when no more threads are to be had. */
    static final class OutOfThreads {
        static {
            if (true) {
                throw new OutOfMemoryError("thrown by a test");
            }
        }
    }
}
