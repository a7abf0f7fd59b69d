// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.testing.server.TestServer;
import org.apache.sling.discovery.zk.ZooKeeperStore;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;
import org.apache.sling.discovery.zk.testing.OddClient.Oddity;
import org.apache.sling.discovery.zk.testing.OddStore;
import org.apache.sling.discovery.zk.testing.Witness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The connection is lost in the middle of something: nothing of it is left behind on the next one. */
class ReconnectTest {
    private static final String CLUSTER = "/sling/discovery/clusters/default";

    private TestServer server;
    private OddStore store;
    private Witness a;
    private Witness b;

    @BeforeEach
    void connect(@TempDir Path data) throws Exception {
        server = new TestServer(data);
        store = new OddStore(server.address());
        a = new Witness("a", store);
        b = new Witness("b", new ZooKeeperStore(ZooKeeperStoreConfig.of(server.address())));
        a.awaitSnapshot(any -> true);
        b.awaitSnapshot(any -> true);
    }

    @AfterEach
    void disconnect() {
        a.close();
        b.close();
        server.close();
    }

    private void keeps(int count) {
        await().atMost(Witness.LONG).until(() -> store.client().kept() == count);
    }

    @Test
    void changeThatWasBeingReadDoesNotKeepBackLaterOnes() {
        Member first = b.join();
        a.awaitSnapshot(all -> all.members().size() == 1);
        store.client().delay(path -> path.contains("/view") || path.contains("/members/"));
        b.perform(b.publication(first.node()));
        keeps(1);
        b.perform(new Request.Update(first.node(), b.record(Map.of("x", "1"))));
        keeps(2);
        store.client().releaseFirst();
        // The member is read again when the read that is kept has been answered.
        b.perform(new Request.Update(first.node(), b.record(Map.of("x", "2"))));
        keeps(1);
        int told = a.calls().size();
        store.client().delay(path -> false);
        store.reconnect();
        store.client().release();
        await().atMost(Witness.LONG).until(() -> a.calls().size() > told);
        a.awaitSnapshot(all -> all.view().isPresent()
                && all.members().get(0).record().properties().equals(Map.of("x", "2")));
        b.perform(new Request.Update(first.node(), b.record(Map.of("x", "3"))));
        a.awaitSnapshot(all -> all.members().get(0).record().properties().equals(Map.of("x", "3")));
        a.perform(new Request.Probe());
    }

    @Test
    void readThatIsNeverAnsweredDoesNotKeepBackThoseOfTheNextConnection() {
        Member first = b.join();
        a.awaitSnapshot(all -> all.members().size() == 1);
        store.client().delay(path -> path.contains("/members/"));
        b.perform(new Request.Update(first.node(), b.record(Map.of("x", "1"))));
        keeps(1);
        store.client().delay(path -> false);
        store.reconnect();
        a.awaitSnapshot(all -> all.members().get(0).record().properties().equals(Map.of("x", "1")));
        b.perform(new Request.Update(first.node(), b.record(Map.of("x", "2"))));
        a.awaitSnapshot(all -> all.members().get(0).record().properties().equals(Map.of("x", "2")));
    }

    @Test
    void requestThatWasUnderWayIsRepliedOnceAndAtOnce() {
        store.client().be(Oddity.REPLY_KEPT);
        Request confirm = new Request.Probe();
        store.request(confirm);
        keeps(1);
        store.client().be(Oddity.NONE);
        store.reconnect();
        a.awaitCall(Witness.Completed.class, reply -> reply.request() == confirm);
        store.client().release();
        a.awaitSnapshot(any -> true);
        await().atMost(Witness.LONG).until(() -> a.ask(new Request.Probe()).status() == Status.DONE);
        assertThat(a.calls(Witness.Completed.class))
                .filteredOn(reply -> reply.request() == confirm)
                .singleElement()
                .satisfies(reply -> assertThat(reply.outcome().status()).isEqualTo(Status.UNKNOWN));
    }

    @Test
    void nodeThatWaitedForTheTreeIsNotMadeLater() throws Exception {
        a.join();
        store.client().delay(path -> path.equals("/sling/discovery"));
        server.delete(CLUSTER + "/members");
        keeps(1);
        Request announce = new Request.Announce(a.record(Map.of()));
        store.request(announce);
        store.reconnect();
        a.awaitCall(
                Witness.Completed.class,
                reply -> reply.request() == announce && reply.outcome().status() == Status.UNKNOWN);
        store.client().release();
        await().atMost(Witness.LONG).until(() -> a.ask(new Request.Probe()).status() == Status.DONE);
        assertThat(server.children(CLUSTER + "/members")).isEmpty();
    }

    @Test
    void acknowledgementsAreReadAgainWhileTheyAreWanted() {
        Member first = b.join();
        store.collect(true);
        a.awaitSnapshot(all -> all.acknowledgements().isPresent());
        store.client().delay(path -> path.endsWith(first.node()));
        store.reconnect();
        keeps(1);
        b.perform(new Request.Acknowledge(first.node(), 4));
        int told = a.calls().size();
        store.client().release();
        await().atMost(Witness.LONG).until(() -> a.calls().size() > told);
        assertThat(a.snapshot().orElseThrow().acknowledgements())
                .contains(Set.of(new Acknowledgement(first.node(), 4)));
    }

    @Test
    void acknowledgementsThatAreWantedWhileAllIsReadAreReadToo() {
        Member first = b.join();
        b.perform(new Request.Acknowledge(first.node(), 4));
        a.awaitSnapshot(all -> all.members().size() == 1);
        store.client().delay(path -> path.endsWith(first.node()));
        store.reconnect();
        keeps(1);
        store.collect(true);
        store.client().release();
        a.awaitSnapshot(all -> all.acknowledgements().isPresent());
    }

    @Test
    void partThatGoesWhileAllIsReadIsMadeAgain() throws Exception {
        store.client().delay(path -> path.endsWith("/view"));
        store.reconnect();
        keeps(1);
        server.delete(CLUSTER + "/view");
        int told = a.calls().size();
        store.client().release();
        await().atMost(Witness.LONG).until(() -> a.calls().size() > told && server.exists(CLUSTER + "/view"));
        a.perform(new Request.Probe());
    }

    @Test
    void anUpdateThatFailsLeadsToAFullRead() {
        Member first = b.join();
        a.awaitSnapshot(all -> all.members().size() == 1);
        store.client().failNextReads(1);
        b.perform(new Request.Update(first.node(), b.record(Map.of("x", "1"))));
        a.awaitSnapshot(all -> all.members().get(0).record().properties().equals(Map.of("x", "1")));
    }
}
