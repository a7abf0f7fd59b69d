// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.others;

import static org.apache.sling.discovery.testing.SharedTexts.encoded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.testing.server.TestServer;
import org.apache.sling.discovery.zk.ZooKeeperStore;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.client.StoreThread;
import org.apache.sling.discovery.zk.testing.OddClient;
import org.apache.sling.discovery.zk.testing.Witness;
import org.apache.sling.discovery.zk.tree.Paths;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Announcements whose processing fails, that do not fit into memory, or whose watch ends with the connection. */
class AnnouncementsTest {
    private static final Bytes LARGE = Bytes.of(new byte[60_000], 0);

    private final StoreThread thread = new StoreThread("announcement-cache-test");
    private final AtomicBoolean failing = new AtomicBoolean();
    private final AtomicInteger losses = new AtomicInteger();
    private final List<List<String>> problems = new CopyOnWriteArrayList<>();
    private final Announcements.Budget budget = new Announcements.Budget(100_000);
    private TestServer server;
    private OddClient client;
    private Session session;
    private Announcements cache;
    private Witness holder;

    @BeforeEach
    void connect(@TempDir Path data) throws Exception {
        server = new TestServer(data);
        client = new OddClient(server.address());
        session = new Session(client, thread, () -> {}, lost -> losses.incrementAndGet());
        Paths paths = ZooKeeperStoreConfig.of(server.address()).paths();
        cache = new Announcements(paths, true, thread, budget, this::changed);
        holder = new Witness("h", new ZooKeeperStore(ZooKeeperStoreConfig.of(server.address())));
        holder.join();
    }

    private void changed() {
        problems.add(cache.problems());
        if (failing.get()) {
            throw new LinkageError("thrown by a test");
        }
    }

    @AfterEach
    void disconnect() throws Exception {
        holder.close();
        client.close();
        thread.shutDown(1_000);
        server.close();
    }

    private <T> T onThread(Supplier<T> question) {
        return CompletableFuture.supplyAsync(question, thread).join();
    }

    private List<String> owners() {
        return onThread(() -> cache.readable()
                .map(each -> each.announcement().orElseThrow().ownerId())
                .sorted()
                .toList());
    }

    private void awaitOwners(String... owners) {
        await().atMost(Witness.LONG).until(() -> owners().equals(List.of(owners)));
    }

    @Test
    void anAnnouncementThatCannotBeProcessedIsTriedAgainAndKeepsBackNoOther() {
        holder.store().board().share(encoded(Map.of("x", "1")));
        client.failNextReads(1);
        thread.execute(() -> cache.start(session));
        holder.store().board().share(encoded(Map.of("x", "1", "y", "2")));

        awaitOwners("x", "y");
        assertThat(problems).anySatisfy(all -> assertThat(all).anyMatch(each -> each.contains("is tried again")));
        await().atMost(Witness.LONG)
                .until(() -> onThread(() -> cache.problems()).isEmpty());
        assertThat(onThread(() -> cache.isSettled(holder.session()))).isTrue();
    }

    @Test
    void aFailureOfWhatIsNotifiedIsRepeated() {
        thread.execute(() -> cache.start(session));
        await().atMost(Witness.LONG).until(() -> onThread(() -> cache.isKnown()));
        int first = problems.size();
        failing.set(true);
        holder.store().board().share(encoded(Map.of("x", "1")));
        await().atMost(Witness.LONG).until(() -> problems.size() > first);
        failing.set(false);
        int before = problems.size();

        await().atMost(Witness.LONG).until(() -> problems.size() > before);
        assertThat(onThread(() -> cache.problems())).isEmpty();
    }

    @Test
    void whatDoesNotFitIntoTheBudgetIsLeftOutAndReported() {
        holder.store().board().share(Map.of("x", LARGE, "y", LARGE, "z", Bytes.of("small")));
        thread.execute(() -> cache.start(session));
        await().atMost(Witness.LONG)
                .until(() -> owners().size() == 2 && onThread(() -> cache.problems()).size() == 1);

        assertThat(owners()).contains("z");
        assertThat(onThread(() -> cache.problems()))
                .first()
                .asString()
                .contains("is left out", "100000 bytes");
        holder.store().board().share(Map.of());
        awaitOwners();
        holder.store().board().share(Map.of("w", LARGE));
        awaitOwners("w");
    }

    @Test
    void theEndOfAWatchReportsTheLossOfTheConnection() throws Exception {
        AtomicInteger handled = new AtomicInteger();
        client.addWatch(
                "/sling",
                session.watcher(event -> handled.incrementAndGet()),
                org.apache.zookeeper.AddWatchMode.PERSISTENT);
        thread.execute(() -> cache.start(session));
        await().atMost(Witness.LONG).until(() -> onThread(() -> cache.isKnown()));
        server.stop();

        // Both watches report it, each for itself.
        await().atMost(Witness.LONG).until(() -> losses.get() >= 2);
        assertThat(handled).hasValue(0);
        server.start();
    }
}
