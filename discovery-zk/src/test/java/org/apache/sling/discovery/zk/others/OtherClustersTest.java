// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.others;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;
import org.apache.sling.discovery.commons.spi.AnnouncementBoard;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.testing.server.TestServer;
import org.apache.sling.discovery.zk.ZooKeeperStore;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;
import org.apache.sling.discovery.zk.cache.ObserverNotifier;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.client.StoreThread;
import org.apache.sling.discovery.zk.testing.OddClient;
import org.apache.sling.discovery.zk.testing.Witness;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.zookeeper.AddWatchMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other clusters that change while they are read, and watches whose replies are lost. */
class OtherClustersTest {
    private final StoreThread thread = new StoreThread("remote-caches-test");
    private final List<List<RemoteCluster>> told = new CopyOnWriteArrayList<>();
    private final List<List<String>> problems = new CopyOnWriteArrayList<>();
    private TestServer server;
    private OddClient client;
    private Session session;
    private OtherClusters remotes;
    private Witness y;
    private Witness z;

    @BeforeEach
    void connect(@TempDir Path data) throws Exception {
        server = new TestServer(data);
        client = new OddClient(server.address());
        session = new Session(client, thread, () -> {}, lost -> {});
        Paths paths = ZooKeeperStoreConfig.of(server.address()).paths();
        remotes = new OtherClusters(
                paths, Codecs.CURRENT, thread, new ObserverNotifier(null, new Recorder()), problems::add);
        y = other("y");
        z = other("z");
        y.join();
        y.perform(y.publication(y.own().node()));
    }

    @AfterEach
    void disconnect() throws Exception {
        y.close();
        z.close();
        client.close();
        thread.shutDown(1_000);
        server.close();
    }

    private Witness other(String id) {
        return new Witness(
                id, new ZooKeeperStore(ZooKeeperStoreConfig.of(server.address()).withClusterName("other")));
    }

    private void awaitShown(String instance) {
        await().atMost(Witness.LONG)
                .until(() -> !told.isEmpty()
                        && told.get(told.size() - 1).size() == 1
                        && told.get(told.size() - 1).get(0).instanceIds().equals(List.of(instance)));
    }

    @Test
    void changesWhileTheRecordsAreReadAreNotLost() throws Exception {
        client.delay(path -> path.contains("/other/members/"));
        thread.execute(() -> remotes.start(session));
        await().atMost(Witness.LONG).until(() -> client.kept() == 1);
        z.join();
        z.perform(z.publication(z.own().node()));
        CompletableFuture<?> answered = new CompletableFuture<>();
        thread.execute(() -> session.exists("/").thenRun(() -> answered.complete(null)));
        answered.get(Witness.LONG.toSeconds(), TimeUnit.SECONDS);
        client.release();

        awaitShown("z");
    }

    @Test
    void aReadWhoseReplyIsLostRemovesNoMember() throws Exception {
        thread.execute(() -> remotes.start(session));
        awaitShown("y");
        client.delay(path -> path.contains("/other/members/"));
        y.perform(new Request.Update(y.own().node(), y.record(Map.of("x", "1"))));
        await().atMost(Witness.LONG).until(() -> client.kept() == 1);
        CompletableFuture.runAsync(session::endConnection, thread).join();
        client.release();
        CompletableFuture<?> answered = new CompletableFuture<>();
        client.exists("/", false, (rc, path, context, stat) -> answered.complete(null), null);
        answered.get(Witness.LONG.toSeconds(), TimeUnit.SECONDS);
        CompletableFuture.runAsync(() -> {}, thread).join();

        assertThat(told).hasSize(1);
    }

    @Test
    void whatCannotBeProcessedIsReportedAndReadAgain() {
        thread.execute(() -> remotes.start(session));
        awaitShown("y");
        client.failNextReads(1);
        y.perform(new Request.Update(y.own().node(), y.record(Map.of("x", "1"))));
        await().atMost(Witness.LONG).until(() -> told.get(told.size() - 1)
                .get(0)
                .instances()
                .get(0)
                .properties()
                .equals(Map.of("x", "1")));

        await().atMost(Witness.LONG)
                .until(() ->
                        !problems.isEmpty() && problems.get(problems.size() - 1).isEmpty());
        assertThat(problems).anySatisfy(all -> assertThat(all).anyMatch(each -> each.contains("cannot be processed")));
    }

    @Test
    void aClusterThatIsNotCompleteYetIsShownWhenItIs() throws Exception {
        thread.execute(() -> remotes.start(session));
        awaitShown("y");
        server.delete("/sling/discovery/clusters/other");
        await().atMost(Witness.LONG).until(() -> told.get(told.size() - 1).isEmpty());

        z.awaitSnapshot(all -> all.members().isEmpty());
        z.join();
        z.perform(z.publication(z.own().node()));
        awaitShown("z");
    }

    @Test
    void aWatchIsSetAgainUnlessTheServerHasConfirmedIt() throws Exception {
        BlockingQueue<Runnable> replies = new LinkedBlockingQueue<>();
        Session manual = new Session(client, replies::add, () -> {}, lost -> {});
        server.forgetAsked();
        watch(manual);
        Runnable reply = replies.poll(Witness.LONG.toSeconds(), TimeUnit.SECONDS);
        manual.endConnection();
        reply.run();
        watch(manual);
        replies.poll(Witness.LONG.toSeconds(), TimeUnit.SECONDS).run();
        watch(manual);
        client.exists("/", false);

        assertThat(server.asked(client.getSessionId())).isEqualTo(Map.of("addWatch", 2L, "exists", 1L));
        Session next = new Session(client, Runnable::run, () -> {}, lost -> {});
        watch(next);
        client.exists("/", false);
        assertThat(server.asked(client.getSessionId())).containsEntry("addWatch", 3L);
    }

    private static void watch(Session on) {
        on.watchOnce("/x", AddWatchMode.PERSISTENT, event -> {});
    }

    private final class Recorder implements AnnouncementBoard.Observer {
        @Override
        public void remotesObserved(List<RemoteCluster> clusters) {
            told.add(clusters);
        }

        @Override
        public void announcementsObserved(List<SharedAnnouncement> announcements) {}
    }
}
