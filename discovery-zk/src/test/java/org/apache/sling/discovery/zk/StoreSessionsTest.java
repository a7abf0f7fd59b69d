// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.testing.server.TestServer;
import org.apache.sling.discovery.zk.testing.Witness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store says and does when connections break, sessions end, servers restart and stores close. */
class StoreSessionsTest extends TwoInstances {
    @Test
    void sameSessionAfterTheServerRestartedAndAllIsReadAgain() throws Exception {
        Member first = a.join();
        b.join();
        b.awaitSnapshot(all -> all.members().size() == 2);
        long session = b.session();
        server.stop();
        b.awaitCall(Witness.Suspended.class, any -> true);
        assertThat(b.ask(new Request.Probe()).status()).isEqualTo(Status.UNKNOWN);
        server.start();
        await().atMost(Witness.LONG)
                .until(() -> b.calls(Witness.Connected.class).size() == 2);

        b.awaitSnapshot(all -> all.members().contains(first));
        await().atMost(Witness.LONG)
                .until(() -> a.calls(Witness.Connected.class).size() == 2);
        a.awaitSnapshot(all -> all.members().size() == 2);
        assertThat(b.session()).isEqualTo(session);
        assertThat(b.calls(Witness.Expired.class)).isEmpty();
        assertOrderAfterReconnect(b.calls());
        a.perform(new Request.Update(first.node(), a.record(Map.of("k", "v"))));
        b.awaitSnapshot(all -> all.members().get(0).record().properties().containsKey("k"));
    }

    private static void assertOrderAfterReconnect(List<Object> told) {
        int suspended = told.indexOf(new Witness.Suspended());
        int connected = -1;
        for (int i = suspended; i < told.size(); i++) {
            if (told.get(i) instanceof Witness.Connected) {
                connected = i;
            }
            if (told.get(i) instanceof StoreSnapshot) {
                assertThat(connected).as("connected before the first snapshot").isPositive();
                return;
            }
        }
    }

    @Test
    void nothingSucceedsBetweenAConnectAndItsSnapshot() {
        a.join();
        for (int i = 1; i <= 4; i++) {
            int connects = i + 1;
            server.drop(a.session());
            await().atMost(Witness.LONG).until(() -> {
                a.store().request(new Request.Probe());
                return a.calls(Witness.Connected.class).size() == connects;
            });
            a.awaitSnapshot(any -> true);
        }
        boolean read = false;
        for (Object one : a.calls()) {
            if (one instanceof Witness.Connected || one instanceof Witness.Suspended) {
                read = false;
            } else if (one instanceof StoreSnapshot) {
                read = true;
            } else if (one instanceof Witness.Completed reply && reply.outcome().status() != Status.UNKNOWN) {
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
        await().atMost(Witness.LONG).until(() -> server.asked(a.session()).containsKey("multiRead"));
        assertThat(a.ask(new Request.Probe()).status()).isEqualTo(Status.UNKNOWN);
        CompletableFuture<?> tree = a.store().inspector().readTree().toCompletableFuture();
        await().atMost(Witness.LONG).until(tree::isCompletedExceptionally);
        assertThat(a.calls(Witness.Connected.class)).hasSize(1);
        server.mute(false);
    }

    @Test
    void collectingThatEndsWithoutAConnectionKeepsNobodyFromReading() {
        a.join();
        a.store().collect(true);
        a.awaitSnapshot(all -> all.acknowledgements().isPresent());
        server.mute(true);
        server.drop(a.session());
        a.awaitCall(Witness.Suspended.class, any -> true);
        a.store().collect(false);
        server.drop(a.session());
        server.mute(false);
        await().atMost(Witness.LONG)
                .until(() -> a.calls(Witness.Connected.class).size() == 2);
        a.awaitSnapshot(
                all -> all.members().size() == 1 && all.acknowledgements().isEmpty());
        a.perform(new Request.Probe());
    }

    @Test
    void endedSessionIsReplacedAndTheNodeComesBackOnlyWhenAsked() {
        Member first = a.join();
        b.awaitSnapshot(all -> all.members().size() == 1);
        a.perform(new Request.Acknowledge(first.node(), 1));
        server.expire(a.session());
        a.awaitCall(Witness.Expired.class, any -> true);
        await().atMost(Witness.LONG)
                .until(() -> a.calls(Witness.Connected.class).size() == 2);
        a.awaitSnapshot(all -> all.members().isEmpty());
        b.awaitSnapshot(all -> all.members().isEmpty());

        a.perform(new Request.Announce(a.record(Map.of())));
        assertThat(a.own().session()).isEqualTo(a.session()).isNotEqualTo(first.session());
        assertThat(a.own().seniority()).isGreaterThan(first.seniority());
        server.forgetAsked();
        a.perform(new Request.Acknowledge(a.own().node(), 2));
        assertThat(server.asked(a.session())).isEqualTo(Map.of("multi", 1L));
        assertThat(a.calls(Witness.Suspended.class)).hasSize(1);
    }

    @Test
    void closingEndsTheSessionAtOnceAndLeavesNoThread(@TempDir Path data) throws Exception {
        a.join();
        b.awaitSnapshot(all -> all.members().size() == 1);
        long start = System.nanoTime();
        a.close();
        a.close();
        int told = a.calls().size();
        b.awaitSnapshot(all -> all.members().isEmpty());
        assertThat(System.nanoTime() - start).isLessThan(2_000_000_000L);
        b.close();
        server.stop();
        assertThat(a.calls()).hasSize(told);
        await().atMost(Witness.LONG)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .noneMatch(name -> name.contains("discovery-zk")
                                || name.contains("Curator")
                                || name.contains("-SendThread")
                                || name.endsWith("-EventThread")));
        assertThatThrownBy(() -> a.store().open(a)).isInstanceOf(IllegalStateException.class);
        server.start();
    }

    @Test
    void closingWithinACallAndWithoutAServerIsBounded() throws Exception {
        a.awaitSnapshot(any -> true);
        server.stop();
        a.awaitCall(Witness.Suspended.class, any -> true);
        long start = System.nanoTime();
        a.close();
        assertThat(System.nanoTime() - start).isLessThan(6_000_000_000L);
        server.start();
    }

    @Test
    void sessionExpiryOfTheServersIsToldEvenWhenCutOffMeanwhile() throws Exception {
        Witness c = new Witness(
                "c",
                new ZooKeeperStore(ZooKeeperStoreConfig.of(server.address()).withSessionTimeout(300)));
        try (c) {
            c.join();
            assertThat(c.calls(Witness.Connected.class).get(0).timeout()).isEqualTo(300);
            long session = c.session();
            server.drop(session);
            server.expire(session);
            await().atMost(Witness.LONG)
                    .until(() -> c.calls(Witness.Connected.class).size() == 2 && c.session() != session);
            c.awaitSnapshot(all -> all.members().isEmpty());
        }
    }

    @Test
    void unknownHostIsTroubleAndNothingElse() {
        try (Witness c = new Witness("c", new ZooKeeperStore(ZooKeeperStoreConfig.of("no.such.host.invalid:2181")))) {
            c.awaitCall(Witness.Troubled.class, trouble -> trouble.sentence().contains("no.such.host.invalid"));
            assertThat(c.ask(new Request.Probe()).status()).isEqualTo(Status.UNKNOWN);
            assertThat(c.calls(Witness.Connected.class)).isEmpty();
        }
    }

    @Test
    void serverThatComesLateIsFoundAndTheTroubleIsOver(@TempDir Path data) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (Witness c = new Witness("c", new ZooKeeperStore(ZooKeeperStoreConfig.of("127.0.0.1:" + port)))) {
            c.awaitCall(Witness.Troubled.class, trouble -> trouble.sentence().contains("127.0.0.1:" + port));
            try (TestServer late = new TestServer(data, port)) {
                assertThat(late.address()).endsWith(":" + port);
                c.awaitSnapshot(any -> true);
                c.awaitCall(
                        Witness.Troubled.class, trouble -> trouble.sentence().isEmpty());
                assertThat(c.calls(Witness.Troubled.class)).hasSize(2);
            }
        }
    }
}
