// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.spi.Outcome.Status;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.RecordingObserver;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.testing.server.TcpProxy;
import io.github.discoveryzk.testing.server.TestServer;
import io.github.discoveryzk.zk.testing.OneServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What becomes of a client to which no reply arrives. */
@Execution(ExecutionMode.CONCURRENT)
class StoreWatchdogTest extends OneServer {
    private TcpProxy proxy;
    private ZooKeeperStore store;
    private Witness a;

    @BeforeEach
    void start() {
        proxy = new TcpProxy(server.port());
    }

    @AfterEach
    void stop() {
        a.close();
        proxy.close();
    }

    private void open(String address, int sessionTimeout) {
        store = new ZooKeeperStore(ZooKeeperStoreConfig.of(address)
                .withSessionTimeout(sessionTimeout)
                .withClusterName("watched"));
        a = witness("a", store);
    }

    private void awaitReplacements(int times) {
        eventually(() -> store.clientsReplaced() >= times);
    }

    private void restart() {
        proxy.cut();
        proxy.restore();
    }

    @Test
    void clientThatNeverConnectsAgainIsMadeAnew() {
        open(proxy.address(), 1_000);
        a.join();
        proxy.loseAll();
        awaitReplacements(1);
        assertThat(a.calls(RecordingObserver.Suspended.class)).hasSize(1);

        restart();
        a.awaitConnects(2);
        a.awaitMembers(0);
        a.join();
        a.perform(new Request.Probe());
    }

    @Test
    void clientThatNeverConnectedIsMadeAnewEachThreeTimeouts() {
        proxy.loseAll();
        open(proxy.address(), 1_000);
        awaitReplacements(2);
        a.awaitTrouble("No ZooKeeper server answers");
        restart();
        a.join();
        eventually(() -> a.troubles().contains(""));
    }

    @Test
    void sessionThatIsMerelyInterruptedGoesOn() {
        open(proxy.address(), 3_000);
        a.join();
        long session = a.session();
        proxy.loseAll();
        // A client gives its connection up after two thirds of the session: the rest is too short for a busy machine.
        server.prolong(session, OneServer.LONG);
        a.awaitCall(RecordingObserver.Suspended.class, any -> true);
        restart();
        a.awaitConnects(2);
        a.awaitMembers(1);
        assertThat(a.session()).isEqualTo(session);
        assertThat(a.calls(RecordingObserver.Expired.class)).isEmpty();
        assertThat(store.clientsReplaced()).isZero();
    }

    /** ZooKeeper's client takes the end of a watch for the news of the loss, and reports no more of it. */
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
        eventually(() -> asked(a).size() >= 2);
        server.mute(false);
        proxy.cut();
        a.awaitCall(RecordingObserver.Suspended.class, any -> true);
        proxy.restore();
        a.awaitConnects(2);
        assertThat(a.calls(RecordingObserver.Completed.class).stream().filter(reply -> reply.request() == asked))
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
        assertThat(a.ask(new Request.Probe()).status()).isEqualTo(Status.UNKNOWN);
        awaitReplacements(1);
        a.awaitTrouble("does not reply");
        assertThat(a.calls(RecordingObserver.Suspended.class)).hasSize(1);

        server.mute(false);
        a.awaitConnects(2);
        a.awaitSnapshot(any -> true);
        assertThat(a.session()).isNotEqualTo(session);
        assertThat(a.calls(RecordingObserver.Expired.class)).hasSize(1);
        a.perform(new Request.Probe());
        assertThat(a.troubles()).last().isEqualTo("");
    }

    @Test
    void closingDoesNotWaitForAReplyThatNeverComes() {
        open(server.address(), 20_000);
        a.awaitSnapshot(any -> true);
        server.mute(true);
        a.close();
        eventually(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("discovery-zk-watched")));
    }

    @Test
    void silentClientIsAskedAndIsNoneTheWorseForIt() {
        open(server.address(), 3_000);
        a.awaitSnapshot(any -> true);
        server.forgetAsked();
        eventually(() -> asked(a).getOrDefault("exists", 0L) >= 2);
        assertThat(store.clientsReplaced()).isZero();
        assertThat(a.calls(RecordingObserver.Connected.class)).hasSize(1);
        assertThat(a.calls(RecordingObserver.Suspended.class)).isEmpty();
    }

    @Test
    void anotherEnsembleBehindTheSameAddressIsTaken(@TempDir Path other) throws Exception {
        open(server.address(), 1_000);
        a.join();
        StoreSnapshot before = a.snapshot();
        for (int i = 0; i < 100; i++) {
            write(ROOT + "/clusters/watched/lease", "");
        }
        a.perform(new Request.Probe());
        int port = server.port();
        server.stop();
        try (TestServer restored = new TestServer(other, port)) {
            assertThat(restored.port()).isEqualTo(port);
            a.awaitConnects(2);
            StoreSnapshot after = a.awaitSnapshot(all -> !all.clusterId().equals(before.clusterId()));
            assertThat(after.members()).isEmpty();
            assertThat(a.calls(RecordingObserver.Expired.class)).hasSize(1);
            a.join();
            a.perform(new Request.ProbeLease());
        }
    }
}
