// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.spi.Outcome.Status;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.RecordingObserver;
import io.github.discoveryzk.testing.Witness;
import io.github.discoveryzk.testing.server.FreePort;
import io.github.discoveryzk.testing.server.TestServer;
import io.github.discoveryzk.zk.testing.OneServer;
import io.github.discoveryzk.zk.testing.TwoInstances;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store reports and does when connections break, sessions end, servers restart and stores close. */
class StoreSessionsTest extends TwoInstances {

    @Test
    void nothingSucceedsBetweenAConnectAndItsSnapshot() {
        a.join();
        for (int i = 2; i <= 5; i++) {
            int connects = i;
            server.drop(a.session());
            eventually(() -> {
                a.store().request(new Request.Probe());
                return a.calls(RecordingObserver.Connected.class).size() == connects;
            });
            a.awaitSnapshot(any -> true);
        }
        boolean read = false;
        for (RecordingObserver.Received one : a.calls()) {
            if (one instanceof RecordingObserver.Connected || one instanceof RecordingObserver.Suspended) {
                read = false;
            } else if (one instanceof RecordingObserver.Observed) {
                read = true;
            } else if (one instanceof RecordingObserver.Completed reply
                    && reply.outcome().status() != Status.UNKNOWN) {
                assertThat(read).as("%s with what has been read", reply).isTrue();
            }
        }
    }

    @Test
    void whatWasKnownIsOfNoUseUntilAllHasBeenReadAgain() {
        a.join();
        server.mute(true);
        server.forgetAsked();
        server.drop(a.session());
        eventually(() -> asked(a).containsKey("multiRead"));
        assertThat(a.ask(new Request.Probe()).status()).isEqualTo(Status.UNKNOWN);
        CompletableFuture<?> tree = a.store().inspector().readTree().toCompletableFuture();
        eventually(tree::isCompletedExceptionally);
        assertThat(a.calls(RecordingObserver.Connected.class)).hasSize(1);
        server.mute(false);
    }

    @Test
    void collectingThatEndsWithoutAConnectionKeepsNobodyFromReading() {
        a.join();
        a.store().collect(true);
        a.awaitSnapshot(all -> all.acknowledgements().isPresent());
        server.mute(true);
        server.drop(a.session());
        a.awaitCall(RecordingObserver.Suspended.class, any -> true);
        a.store().collect(false);
        server.drop(a.session());
        server.mute(false);
        a.awaitConnects(2);
        a.awaitSnapshot(
                all -> all.members().size() == 1 && all.acknowledgements().isEmpty());
        a.perform(new Request.Probe());
    }

    @Test
    void closingEndsTheSessionAndLeavesNoThread() throws Exception {
        Witness c = witness("c", "closing");
        c.join();
        Witness d = witness("d", "closing");
        d.awaitMembers(1);
        c.close();
        c.close();
        int notified = c.calls().size();
        d.awaitMembers(0);
        List.of(a, b, d).forEach(Witness::close);
        server.stop();
        assertThat(c.calls()).hasSize(notified);
        String port = ":" + server.port() + ")";
        await().atMost(OneServer.LONG)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .noneMatch(name -> name.startsWith("discovery-zk-closing")
                                || name.contains("-SendThread") && name.endsWith(port)));
        server.start();
    }

    @Test
    void unknownHostIsTroubleAndNothingElse() {
        Witness c = witness("c", ZooKeeperStoreConfig.of("no.such.host.invalid:2181"));
        c.awaitTrouble("no.such.host.invalid");
        assertThat(c.ask(new Request.Probe()).status()).isEqualTo(Status.UNKNOWN);
        assertThat(c.calls(RecordingObserver.Connected.class)).isEmpty();
    }

    @Test
    void serverThatComesLateIsFoundAndTheTroubleIsOver(@TempDir Path data) throws Exception {
        int port = FreePort.next();
        Witness c = witness("c", ZooKeeperStoreConfig.of("127.0.0.1:" + port));
        c.awaitTrouble("127.0.0.1:" + port);
        try (TestServer late = new TestServer(data, port)) {
            assertThat(late.port()).isEqualTo(port);
            c.awaitSnapshot(any -> true);
            eventually(() -> c.troubles().contains(""));
            assertThat(c.troubles()).hasSize(2);
            c.close();
        }
    }

    @Test
    void limitOfConnectionsPerClientIsNamedUntilItIsRaised() {
        server.limitConnections(2);
        Witness c = witness("c");
        c.awaitTrouble("No ZooKeeper server answers at " + server.address());
        c.awaitTrouble("maxClientCnxns, 60 by default, 0 for no limit");
        assertThat(a.troubles()).isEmpty();

        server.limitConnections(0);
        c.awaitSnapshot(any -> true);
        assertThat(c.troubles()).last().isEqualTo("");
    }

    @Test
    void restartingTheServersOfAnEnsembleOneByOneEndsNoSession() throws Exception {
        try (TestingCluster ensemble = new TestingCluster(newServer(), newServer(), newServer())) {
            ensemble.start();
            Witness c = witness("c", ZooKeeperStoreConfig.of(ensemble.getConnectString()));
            Member own = c.join();
            for (InstanceSpec one : ensemble.getInstances()) {
                ensemble.killServer(one);
                eventually(() -> c.ask(new Request.Probe()).status() == Status.DONE);
                ensemble.restartServer(one);
                eventually(() -> c.ask(new Request.Probe()).status() == Status.DONE);
            }
            assertThat(c.calls(RecordingObserver.Expired.class)).isEmpty();
            assertThat(c.calls(RecordingObserver.Suspended.class)).isNotEmpty();
            assertThat(c.own()).isEqualTo(own);
            c.close();
        }
    }

    /** The ports that Curator chooses for a server may be equal, and then the server refuses to start. */
    private static InstanceSpec newServer() {
        return new InstanceSpec(null, FreePort.next(), FreePort.next(), FreePort.next(), true, -1);
    }
}
