// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.zk.security.Access;
import io.github.discoveryzk.zk.security.Security;
import io.github.discoveryzk.zk.testing.OneServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("A test sets a system property that all clients read.")
class ConnectionTest extends OneServer implements Connection.Listener {
    private final List<String> notified = Collections.synchronizedList(new ArrayList<>());
    private final List<Integer> numbers = Collections.synchronizedList(new ArrayList<>());
    private final StoreThread thread = new StoreThread("connection-test");
    private volatile Session session;
    private Connection connection;

    @BeforeEach
    void open() {
        connection = new Connection(
                new Connection.Settings(
                        ConnectString.parse(server.address()), 10_000, ROOT, Security.NONE, Access.OPEN),
                thread,
                this);
    }

    @AfterEach
    void close() {
        thread.execute(connection::close);
        thread.shutDown(1_000);
    }

    @Override
    public void connected(Session connected) {
        session = connected;
        numbers.add(connected.connectionNumber());
        notified.add("connected");
    }

    @Override
    public void disconnected() {
        notified.add("disconnected");
        numbers.add(session.connectionNumber());
    }

    @Override
    public void expired() {
        notified.add("expired");
    }

    @Override
    public void troubled(String sentence) {
        notified.add(sentence);
    }

    private Session connect() {
        thread.execute(connection::open);
        eventually(() -> notified.contains("connected"));
        return session;
    }

    private void onThread(Runnable task) {
        CompletableFuture.runAsync(task, thread).join();
    }

    @Test
    void makesNoClientAnyMoreOnceItIsClosed() {
        connect();
        server.forgetAsked();
        onThread(() -> {
            connection.close();
            for (int i = 0; i < 20; i++) {
                connection.replaceDeadClient();
                connection.checkReplies();
            }
        });
        assertThat(server.asked().values()).noneMatch(requests -> requests.containsKey("createSession"));
        assertThat(connection.clientsReplaced()).isZero();
        assertThat(notified).containsExactly("connected");
    }

    @Test
    void clientThatIsReplacedBeforeItsEndWasHeardCountsAsLost() {
        Session first = connect();
        // What the client tells of its end waits for this thread meanwhile.
        thread.execute(() -> {
            server.expire(first.id());
            eventually(() -> !first.isAlive());
            connection.replaceDeadClient();
        });
        eventually(() -> session != first);
        assertThat(notified).containsSubsequence("connected", "disconnected", "expired", "connected");
    }

    @Test
    void eachConnectEndsTheConnectionBeforeAndAnEarlierClientEndsNone() {
        Session first = connect();
        server.drop(first.id());
        eventually(() -> Collections.frequency(notified, "connected") == 2);
        assertThat(numbers).doesNotHaveDuplicates().hasSize(3);

        server.expire(first.id());
        eventually(() -> session != first);
        List<String> before = List.copyOf(notified);
        onThread(() -> connection.processSessionEvent(
                first, new WatchedEvent(EventType.None, KeeperState.Disconnected, null)));
        assertThat(notified).isEqualTo(before);
    }

    @Test
    void clientThatCannotBeMadeForWantOfThreadsIsTriedAgain() {
        System.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, OutOfThreads.class.getName());
        try {
            onThread(connection::open);
            onThread(connection::replaceDeadClient);
        } finally {
            System.clearProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET);
        }
        eventually(() -> notified.contains("connected"));
    }

    /** Reports when each server has failed twice since the last connect. */
    @Test
    void aTroubleIsReportedWhenEachServerHasFailedTwice() {
        Hosts hosts = new Hosts(ConnectString.parse(server.address()).servers(), notified::add);
        hosts.next(0);
        hosts.next(0);
        hosts.onConnected();
        hosts.next(0);
        hosts.next(0);
        assertThat(notified).isEmpty();
        hosts.next(0);

        assertThat(notified)
                .singleElement()
                .asString()
                .startsWith("No ZooKeeper server answers at " + server.address())
                .contains("quorum", "maxClientCnxns");
    }

    @Test
    void theStoreGoesOnWhileATroubleIsExplained() {
        AtomicReference<Hosts> hosts = new AtomicReference<>();
        hosts.set(new Hosts(ConnectString.parse(server.address()).servers(), trouble -> assertThat(
                        CompletableFuture.runAsync(hosts.get()::onConnected))
                .succeedsWithin(LONG)));
        for (int failures = 0; failures <= 2; failures++) {
            hosts.get().next(0);
        }
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
