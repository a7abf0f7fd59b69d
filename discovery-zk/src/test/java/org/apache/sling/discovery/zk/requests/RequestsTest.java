// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.testing.server.TestServer;
import org.apache.sling.discovery.zk.ZooKeeperStore;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;
import org.apache.sling.discovery.zk.testing.OddClient.Oddity;
import org.apache.sling.discovery.zk.testing.OddStore;
import org.apache.sling.discovery.zk.testing.Witness;
import org.apache.zookeeper.Watcher.Event.EventType;
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
        a.awaitSnapshot(any -> true);
    }

    @AfterEach
    void disconnect() {
        a.close();
        server.close();
    }

    @Test
    void replyThatMakesNoSenseIsAnOutcomeToo() {
        store.client().be(Oddity.NO_STAT);
        assertRefusedAndGoingOn("SYSTEMERROR");
    }

    @Test
    void failureWhileSendingIsAnOutcomeToo() {
        store.client().be(Oddity.THROWS);
        assertRefusedAndGoingOn("thrown by a test");
    }

    @Test
    void memberOfWhichNoWatchToldIsFoundByTheNumberOfMembers() {
        store.client().swallow(event -> event.getType() == EventType.NodeCreated);
        try (Witness b = new Witness("b", new ZooKeeperStore(ZooKeeperStoreConfig.of(server.address())))) {
            Member unseen = b.join();
            a.perform(new Request.Probe());
            assertThat(a.snapshot().get().members()).containsExactly(unseen);
            store.client().swallow(event -> event.getType() == EventType.NodeDeleted);
            b.perform(Witness.leaving(unseen));
            a.perform(new Request.ProbeLease());
            assertThat(a.snapshot().get().members()).isEmpty();
        }
    }

    @Test
    void leaseProbeIsToldAfterTheChangesThatCameBeforeIt() throws Exception {
        try (Witness b = new Witness("b", new ZooKeeperStore(ZooKeeperStoreConfig.of(server.address())))) {
            store.client().delay(path -> path.contains("/members/"));
            Member joins = b.join();
            await().atMost(Witness.LONG).until(() -> store.client().kept() == 1);
            Request probe = new Request.ProbeLease();
            server.forgetAsked();
            store.request(probe);
            await().atMost(Witness.LONG)
                    .until(() -> !server.asked(store.session()).isEmpty());
            CompletableFuture<Void> later = new CompletableFuture<>();
            store.client().exists("/", false, (rc, path, context, stat) -> later.complete(null), null);
            later.get(Witness.LONG.toSeconds(), TimeUnit.SECONDS);
            store.awaitIdle();
            store.client().release();

            a.awaitCall(Witness.Completed.class, reply -> reply.request() == probe);
            assertThat(a.calls(StoreSnapshot.class))
                    .filteredOn(seen -> seen.leaseProbe().isPresent())
                    .isNotEmpty()
                    .allSatisfy(seen -> assertThat(seen.members()).containsExactly(joins));
        }
    }

    @Test
    void viewIsToldTogetherWithTheChangesThatCameBeforeIt() throws Exception {
        try (Witness b = new Witness("b", new ZooKeeperStore(ZooKeeperStoreConfig.of(server.address())));
                Witness c = new Witness("c", new ZooKeeperStore(ZooKeeperStoreConfig.of(server.address())))) {
            Member leaves = b.join();
            a.awaitSnapshot(all -> all.members().size() == 1);
            store.client().delay(path -> path.endsWith("/view"));
            b.perform(b.publication(leaves.node()));
            await().atMost(Witness.LONG).until(() -> store.client().kept() == 1);
            Request confirm = new Request.Probe();
            server.forgetAsked();
            store.request(confirm);
            await().atMost(Witness.LONG)
                    .until(() -> server.asked(store.session()).containsKey("exists"));
            Member joins = c.join();
            b.perform(Witness.leaving(leaves));
            c.awaitSnapshot(
                    all -> all.members().equals(List.of(joins)) && all.view().isPresent());
            Request.Publish last = c.publication(joins.node());
            c.perform(last);
            store.client().release();

            a.awaitCall(Witness.Completed.class, reply -> reply.request() == confirm);
            assertThat(a.calls(StoreSnapshot.class))
                    .filteredOn(seen -> seen.view().equals(Optional.of(last.next())))
                    .isNotEmpty()
                    .allSatisfy(seen -> assertThat(seen.members()).containsExactly(joins));
            List<Object> told = a.calls();
            assertThat(told.indexOf(a.snapshot().get()))
                    .as("told before the reply")
                    .isLessThan(told.indexOf(new Witness.Completed(confirm, Outcome.DONE)));
        }
    }

    @Test
    void viewThatGoesBeforeItIsReadHoldsUpNothing() throws Exception {
        Member own = a.join();
        store.client().delay(path -> path.endsWith("/view"));
        a.perform(new Request.Update(own.node(), a.record(Map.of("x", "1"))));
        server.with(client -> client.setData("/sling/discovery/clusters/default/view", new byte[0], -1));
        await().atMost(Witness.LONG).until(() -> store.client().kept() == 1);
        server.delete("/sling/discovery/clusters/default/view");
        store.client().release();
        a.perform(new Request.Update(own.node(), a.record(Map.of("x", "2"))));
        a.awaitSnapshot(all -> all.members().get(0).record().properties().equals(Map.of("x", "2")));
    }

    private void assertRefusedAndGoingOn(String why) {
        Outcome outcome = a.ask(new Request.Probe());
        assertThat(outcome.status()).isEqualTo(Status.REJECTED);
        assertThat(outcome.detail()).contains(why);
        store.client().be(Oddity.NONE);
        a.perform(new Request.Probe());
    }

    @Test
    void rereadingThatWaitsOnAnEarlierConnectionDoesNotKeepALaterOneFromIt() throws Exception {
        String lease = "/sling/discovery/clusters/default/lease";
        try (Witness b = new Witness("b", new ZooKeeperStore(ZooKeeperStoreConfig.of(server.address())))) {
            Member own = b.join();
            Request renewal =
                    new Request.Renew(own.node(), b.snapshot().get().slot().version(), 9_000);
            for (int connects = 2; connects < 5; connects++) {
                server.delete(lease);
                assertThat(b.ask(renewal).status()).isEqualTo(Status.OVERTAKEN);
                server.drop(b.session());
                int expected = connects;
                await().atMost(Witness.LONG)
                        .until(() -> b.calls(Witness.Connected.class).size() == expected);
                b.awaitSnapshot(any -> server.exists(lease));
            }
            b.perform(new Request.Probe());
            server.delete(lease);
            assertThat(b.ask(renewal).status()).isEqualTo(Status.OVERTAKEN);
            await().atMost(Witness.LONG).until(() -> server.exists(lease));
            b.perform(renewal);
        }
    }
}
