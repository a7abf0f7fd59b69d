// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.others;

import static io.github.discoveryzk.testing.SharedTexts.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.SharedAnnouncement;
import io.github.discoveryzk.spi.AnnouncementBoard;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.zk.cache.ObserverNotifier;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.client.StoreThread;
import io.github.discoveryzk.zk.security.Access;
import io.github.discoveryzk.zk.testing.OddClient;
import io.github.discoveryzk.zk.testing.OneServer;
import io.github.discoveryzk.zk.tree.Codecs;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Other clusters and announcements that change or fail while they are read, and watches whose replies are lost. */
class OtherClustersTest extends OneServer {
    private final StoreThread thread = new StoreThread("other-clusters-test");
    private final List<List<RemoteCluster>> notified = new CopyOnWriteArrayList<>();
    private final List<List<String>> problems = new CopyOnWriteArrayList<>();
    private final AtomicInteger losses = new AtomicInteger();
    private OddClient client;
    private Session session;

    @BeforeEach
    void connect() throws Exception {
        client = new OddClient(server.address());
        session = new Session(
                client, Access.OPEN.entries(), thread, (source, reply) -> {}, lost -> losses.incrementAndGet());
    }

    @AfterEach
    void disconnect() throws Exception {
        client.close();
        thread.shutDown(1_000);
    }

    private <T> T onThread(Supplier<T> question) {
        return CompletableFuture.supplyAsync(question, thread).join();
    }

    /** Waits until all that has been replied to was processed. */
    private void awaitReplies() throws Exception {
        CompletableFuture<?> replied = new CompletableFuture<>();
        client.exists("/", false, (rc, path, context, stat) -> replied.complete(null), null);
        replied.get(OneServer.LONG.toSeconds(), TimeUnit.SECONDS);
        onThread(() -> null);
    }

    @Nested
    class Clusters implements AnnouncementBoard.Observer {
        private Witness y;
        private Witness z;

        @BeforeEach
        void settle() {
            y = witness("y", "other");
            z = witness("z", "other");
            y.join();
            y.perform(y.publication(y.own().node()));
        }

        private OtherClusters start() {
            OtherClusters remotes = new OtherClusters(
                    config().paths(), Codecs.CURRENT, thread, new ObserverNotifier(null, this), problems::add);
            thread.execute(() -> remotes.start(session));
            return remotes;
        }

        @Override
        public void remotesObserved(List<RemoteCluster> clusters) {
            notified.add(clusters);
        }

        @Override
        public void announcementsObserved(List<SharedAnnouncement> announcements) {}

        private List<RemoteCluster> shown() {
            return notified.isEmpty() ? List.of() : notified.get(notified.size() - 1);
        }

        private void awaitShown(String instance) {
            eventually(() -> shown().size() == 1 && shown().get(0).instanceIds().equals(List.of(instance)));
        }

        @Test
        void changesWhileTheRecordsAreReadAreNotLost() throws Exception {
            client.delay(path -> path.contains("/other/members/"));
            start();
            eventually(() -> client.kept() == 1);
            z.join();
            z.perform(z.publication(z.own().node()));
            awaitReplies();
            client.release();

            awaitShown("z");
        }

        @Test
        void aReadWhoseReplyIsLostRemovesNoMember() throws Exception {
            start();
            awaitShown("y");
            client.delay(path -> path.contains("/other/members/"));
            y.update(Map.of("x", "1"));
            eventually(() -> client.kept() == 1);
            CompletableFuture.runAsync(session::endConnection, thread).join();
            client.release();
            awaitReplies();

            assertThat(notified).hasSize(1);
        }

        @Test
        void whatCannotBeProcessedIsReportedAndReadAgain() {
            start();
            awaitShown("y");
            client.failNextReads(1);
            y.update(Map.of("x", "1"));
            eventually(() -> shown().get(0).instances().get(0).properties().equals(Map.of("x", "1")));

            eventually(() -> problems.get(problems.size() - 1).isEmpty());
            assertThat(problems)
                    .anySatisfy(all -> assertThat(all).anyMatch(each -> each.contains("cannot be processed")));
        }

        @Test
        void aForeignNodeIsIgnoredAlsoWhenTheMembersMustNotBeListed() throws Exception {
            String members = ROOT + "/clusters/other/members";
            client.create(members + "/foreign", new byte[] {1}, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            OtherClusters remotes = start();
            awaitShown("y");
            client.setACL(members, Arrays.asList(new ACL(Perms.ALL & ~Perms.READ, Ids.ANYONE_ID_UNSAFE)), -1);
            thread.execute(() -> remotes.start(session));
            eventually(() -> problems.stream().anyMatch(all -> all.toString().contains(members)));
            y.update(Map.of("x", "1"));
            eventually(() -> shown().get(0).instances().get(0).properties().equals(Map.of("x", "1")));

            assertThat(problems.toString()).doesNotContain("foreign");
        }

        @Test
        void aClusterThatIsNotCompleteYetIsShownWhenItIs() throws Exception {
            start();
            awaitShown("y");
            server.delete(ROOT + "/clusters/other");
            eventually(() -> shown().isEmpty());

            z.awaitMembers(0);
            z.join();
            z.perform(z.publication(z.own().node()));
            awaitShown("z");
        }
    }

    @Nested
    class Boards {
        private final AtomicBoolean failing = new AtomicBoolean();
        private Announcements board;
        private Witness holder;

        @BeforeEach
        void share() {
            holder = witness("h");
            holder.join();
            board = new Announcements(config().paths(), true, thread, new Announcements.Budget(100_000), () -> {
                problems.add(List.copyOf(board.problems.sentences()));
                if (failing.get()) {
                    throw new LinkageError("thrown by a test");
                }
            });
        }

        private void start() {
            thread.execute(() -> board.start(session));
        }

        private List<String> owners() {
            return onThread(() -> board.readable()
                    .map(each -> each.announcement().orElseThrow().ownerId())
                    .sorted()
                    .toList());
        }

        private List<String> problemsNow() {
            return onThread(() -> List.copyOf(board.problems.sentences()));
        }

        @Test
        void anAnnouncementThatCannotBeProcessedIsTriedAgainAndKeepsBackNoOther() {
            holder.store().board().share(encoded(Map.of("x", "1")));
            client.failNextReads(1);
            start();
            holder.store().board().share(encoded(Map.of("x", "1", "y", "2")));

            eventually(() -> owners().equals(List.of("x", "y")));
            assertThat(problems).anySatisfy(all -> assertThat(all).anyMatch(each -> each.contains("is tried again")));
            eventually(() -> problemsNow().isEmpty());
            assertThat(onThread(() -> board.isSettled(holder.session()))).isTrue();
        }

        @Test
        void aFailureOfWhatIsNotifiedIsRepeated() {
            start();
            eventually(() -> onThread(board::isKnown));
            int first = problems.size();
            failing.set(true);
            holder.store().board().share(encoded(Map.of("x", "1")));
            eventually(() -> problems.size() > first);
            failing.set(false);
            int before = problems.size();

            eventually(() -> problems.size() > before);
            assertThat(problemsNow()).isEmpty();
        }

        @Test
        void whatDoesNotFitIntoTheBudgetIsExcludedAndReported() {
            Bytes large = Bytes.of(new byte[60_000], 0);
            holder.store().board().share(Map.of("x", large, "y", large, "z", Bytes.of("small")));
            start();
            eventually(() -> owners().size() == 2 && problemsNow().size() == 1);

            assertThat(owners()).contains("z");
            assertThat(problemsNow().get(0)).contains("is ignored", "100000 bytes");
            holder.store().board().share(Map.of());
            eventually(() -> owners().isEmpty());
            holder.store().board().share(Map.of("w", large));
            eventually(() -> owners().equals(List.of("w")));
        }

        @Test
        void theEndOfAWatchReportsTheLossOfTheConnection() throws Exception {
            AtomicInteger handled = new AtomicInteger();
            client.addWatch("/sling", session.watcher(event -> handled.incrementAndGet()), AddWatchMode.PERSISTENT);
            start();
            eventually(() -> onThread(board::isKnown));
            server.stop();

            // Both watches report it, each for itself.
            eventually(() -> losses.get() >= 2);
            assertThat(handled).hasValue(0);
            server.start();
        }
    }

    @Test
    void aWatchIsSetAgainUnlessTheServerHasConfirmedIt() throws Exception {
        BlockingQueue<Runnable> replies = new LinkedBlockingQueue<>();
        Session manual = new Session(client, Access.OPEN.entries(), replies::add, (source, reply) -> {}, lost -> {});
        awaitReplies();
        server.forgetAsked();
        watch(manual);
        Runnable reply = replies.poll(OneServer.LONG.toSeconds(), TimeUnit.SECONDS);
        manual.endConnection();
        reply.run();
        watch(manual);
        replies.poll(OneServer.LONG.toSeconds(), TimeUnit.SECONDS).run();
        watch(manual);
        client.exists("/", false);

        assertThat(server.asked(client.getSessionId())).isEqualTo(Map.of("addWatch", 2L, "exists", 1L));
    }

    private static void watch(Session on) {
        on.watchOnce("/x", AddWatchMode.PERSISTENT, event -> {});
    }
}
