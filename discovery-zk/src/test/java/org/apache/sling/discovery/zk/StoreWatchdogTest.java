// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.testing.server.TcpProxy;
import org.apache.sling.discovery.testing.server.TestServer;
import org.apache.sling.discovery.zk.testing.Witness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a client that hears nothing. */
class StoreWatchdogTest {
    private TestServer server;
    private TcpProxy proxy;
    private ZooKeeperStore store;
    private Witness a;

    @BeforeEach
    void start(@TempDir Path data) throws Exception {
        server = new TestServer(data);
        proxy = new TcpProxy(server.port());
    }

    @AfterEach
    void stop() {
        a.close();
        proxy.close();
        server.close();
        assertThat(a.overlapped()).isFalse();
    }

    private void open(String address, int sessionTimeout) {
        store = new ZooKeeperStore(ZooKeeperStoreConfig.of(address).withSessionTimeout(sessionTimeout));
        a = new Witness("a", store);
    }

    private void connects(int times) {
        await().atMost(Witness.LONG)
                .until(() -> a.calls(Witness.Connected.class).size() == times);
    }

    private void rebuilds(int times) {
        await().atMost(Witness.LONG).until(() -> store.clientsReplaced() >= times);
    }

    @Test
    void clientThatNeverConnectsAgainIsMadeAnew() {
        open(proxy.address(), 1_000);
        a.join();
        proxy.loseAll();
        rebuilds(1);
        assertThat(a.calls(Witness.Suspended.class)).hasSize(1);

        proxy.cut();
        proxy.restore();
        connects(2);
        a.awaitSnapshot(all -> all.members().isEmpty());
        a.join();
        a.perform(new Request.Probe());
    }

    @Test
    void clientThatNeverConnectedIsMadeAnewEachThreeTimeouts() {
        proxy.loseAll();
        open(proxy.address(), 1_000);
        rebuilds(2);
        a.awaitCall(Witness.Troubled.class, trouble -> trouble.sentence().contains("No ZooKeeper server answers"));
        proxy.cut();
        proxy.restore();
        a.join();
        a.awaitCall(Witness.Troubled.class, trouble -> trouble.sentence().isEmpty());
    }

    @Test
    void sessionThatIsMerelyInterruptedGoesOn() {
        open(proxy.address(), 3_000);
        a.join();
        long session = a.session();
        proxy.loseAll();
        // A client gives its connection up after two thirds of the session: the rest is too short for a busy machine.
        server.prolong(session, Witness.LONG);
        a.awaitCall(Witness.Suspended.class, any -> true);
        proxy.cut();
        proxy.restore();
        connects(2);
        a.awaitSnapshot(all -> all.members().size() == 1);
        assertThat(a.session()).isEqualTo(session);
        assertThat(a.calls(Witness.Expired.class)).isEmpty();
        assertThat(store.clientsReplaced()).isZero();
    }

    /** ZooKeeper's client takes the end of a watch for the news of the loss, and tells no more of it. */
    @Test
    void lossOfTheConnectionIsToldThoughAWatchIsBeingRemoved() {
        open(proxy.address(), 3_000);
        a.join();
        store.collect(true);
        a.awaitSnapshot(all -> all.acknowledgements().isPresent());
        server.mute(true);
        server.forgetAsked();
        store.collect(false);
        Request asked = new Request.Probe();
        store.request(asked);
        await().atMost(Witness.LONG).until(() -> server.asked(a.session()).size() >= 2);
        server.mute(false);
        proxy.cut();
        a.awaitCall(Witness.Suspended.class, any -> true);
        proxy.restore();
        connects(2);
        assertThat(a.calls(Witness.Completed.class).stream().filter(reply -> reply.request() == asked))
                .extracting(reply -> reply.outcome().status())
                .containsExactly(Status.UNKNOWN);
        assertThat(store.clientsReplaced()).isZero();
    }

    @Test
    void clientThatSaysItIsConnectedAndGetsNoReplyIsMadeAnew() {
        open(server.address(), 1_000);
        a.join();
        long session = a.session();
        server.mute(true);
        Request asked = new Request.Probe();
        assertThat(a.ask(asked).status()).isEqualTo(Status.UNKNOWN);
        rebuilds(1);
        a.awaitCall(Witness.Troubled.class, trouble -> trouble.sentence().contains("does not reply"));
        assertThat(a.calls(Witness.Suspended.class)).hasSize(1);

        server.mute(false);
        connects(2);
        a.awaitSnapshot(any -> true);
        assertThat(a.session()).isNotEqualTo(session);
        assertThat(a.calls(Witness.Expired.class)).hasSize(1);
        a.perform(new Request.Probe());
        assertThat(a.calls(Witness.Troubled.class)).last().isEqualTo(new Witness.Troubled(""));
    }

    @Test
    void closingDoesNotWaitForAReplyThatNeverComes() {
        open(server.address(), 20_000);
        a.awaitSnapshot(any -> true);
        server.mute(true);
        a.close();
        await().atMost(Duration.ofSeconds(3)).until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("discovery-zk-default")));
    }

    @Test
    void silentClientIsAskedAndIsNoneTheWorseForIt() {
        open(server.address(), 1_000);
        a.awaitSnapshot(any -> true);
        long session = a.session();
        server.forgetAsked();
        await().atMost(Witness.LONG).until(() -> server.asked(session).getOrDefault("exists", 0L) >= 4);
        assertThat(store.clientsReplaced()).isZero();
        assertThat(a.calls(Witness.Connected.class)).hasSize(1);
        assertThat(a.calls(Witness.Suspended.class)).isEmpty();
    }

    @Test
    void anotherEnsembleBehindTheSameAddressIsTaken(@TempDir Path other) throws Exception {
        open(server.address(), 2_000);
        a.join();
        StoreSnapshot before = a.snapshot().get();
        server.with(client -> {
            for (int i = 0; i < 100; i++) {
                client.setData("/sling/discovery/clusters/default/lease", new byte[0], -1);
            }
        });
        a.perform(new Request.Probe());
        int port = server.port();
        server.stop();
        try (TestServer restored = new TestServer(other, port)) {
            assertThat(restored.port()).isEqualTo(port);
            connects(2);
            StoreSnapshot after = a.awaitSnapshot(all -> !all.clusterId().equals(before.clusterId()));
            assertThat(after.members()).isEmpty();
            assertThat(a.calls(Witness.Expired.class)).hasSize(1);
            a.join();
            a.perform(new Request.ProbeLease());
        }
    }
}
