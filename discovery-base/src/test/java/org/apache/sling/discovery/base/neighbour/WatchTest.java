// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.base.protocol.Facts.Suspect;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.ReasonCode;
import org.apache.sling.discovery.testing.server.TcpProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** When an instance suspects a neighbour, and when it does not. */
@Timeout(120)
@ResourceLock(value = "discovery-neighbours", mode = ResourceAccessMode.READ)
class WatchTest {

    private static final Suspect SUSPECT = new Suspect("m-b", false, 0);

    private final Watcher a = new Watcher("a");
    private final Watcher b = new Watcher("b");

    @AfterEach
    void close() {
        a.close();
        b.close();
    }

    private void watch(String endpoint) {
        a.follow(a.at(""), b.at(endpoint));
    }

    @Test
    void aConnectionThatIsClosedOrResetInBetweenIsEstablishedAgain() {
        Member listening = b.listening();
        int port = Integer.parseInt(listening.record().process().endpoint().split(":")[1]);
        try (TcpProxy proxy = new TcpProxy(port)) {
            watch(proxy.address());
            for (int i = 0; i < 5; i++) {
                a.awaitConnected(1);
                proxy.cut();
                a.awaitDisconnected();
                proxy.restore();
            }
            a.awaitConnected(1);
        }
        assertThat(a.suspected).isEmpty();
    }

    @Test
    void aConnectionThatIsRefusedAfterTheLastOneBrokeMakesASuspectUntilItGreetsAgain() {
        int port;
        try (ScriptedPeer peer = new ScriptedPeer(0)) {
            port = peer.port();
            watch(peer.endpoint());
            Socket socket = peer.reply("same\n");
            a.awaitConnected(1);
            peer.stop();
            ScriptedPeer.reset(socket);
        }
        a.awaitSuspects(SUSPECT);
        try (ScriptedPeer again = new ScriptedPeer(port)) {
            again.reply("same\n");
            a.awaitSuspects();
            a.awaitConnected(1);
        }
        assertThat(a.suspected).hasSize(2);
    }

    @Test
    void anotherIncarnationAtTheSamePortMakesASuspect() {
        try (ScriptedPeer peer = new ScriptedPeer(0)) {
            watch(peer.endpoint());
            Socket socket = peer.reply("same\n");
            a.awaitConnected(1);
            ScriptedPeer.reset(socket);
            peer.reply("other\n");
            a.awaitSuspects(SUSPECT);
        }
    }

    @Test
    void anotherProcessOfTheProductAnswersThatItIsAnother() {
        try (ScriptedPeer peer = new ScriptedPeer(0);
                Watcher c = new Watcher("c")) {
            watch(peer.endpoint());
            Socket socket = peer.reply("same\n");
            a.awaitConnected(1);
            int port = peer.port();
            peer.stop();
            c.neighbours.configure(port, Optional.empty(), false);
            assertThat(c.neighbours.listen()).isEqualTo("127.0.0.1:" + port);
            ScriptedPeer.reset(socket);
            a.awaitSuspects(SUSPECT);
        }
    }

    @Test
    void aRefusalProvesAnEndOnRequest() {
        a.neighbours.configure(0, Optional.empty(), true);
        try (ScriptedPeer peer = new ScriptedPeer(0)) {
            watch(peer.endpoint());
            Socket socket = peer.reply("same\n");
            a.awaitConnected(1);
            peer.stop();
            ScriptedPeer.reset(socket);
        }
        a.awaitSuspects(new Suspect("m-b", true, 0));
    }

    @Test
    void aSuspectThatHasLeftTheViewIsNone() {
        suspect();
        a.follow(a.at(""));
        a.awaitSuspects();
        assertThat(a.neighbours.watches).isEmpty();
    }

    private void suspect() {
        try (ScriptedPeer peer = new ScriptedPeer(0)) {
            watch(peer.endpoint());
            Socket socket = peer.reply("same\n");
            a.awaitConnected(1);
            peer.stop();
            ScriptedPeer.reset(socket);
        }
        a.awaitSuspects(SUSPECT);
    }

    @Test
    void aGoodbyeMakesNone() {
        try (ScriptedPeer peer = new ScriptedPeer(0)) {
            watch(peer.endpoint());
            Socket socket = peer.reply("same\nbye\n");
            ScriptedPeer.reset(socket);
            // The reply to the second attempt has been taken in when there is a third.
            peer.reply("other\n");
            peer.reply("same\n");
            a.awaitConnected(1);
        }
        assertThat(a.suspected).noneMatch(each -> !each.isEmpty());
    }

    @Test
    void anInstanceThatClosesSaysGoodbyeToThoseThatWatchIt() throws IOException {
        String endpoint = b.neighbours.listen();
        try (ScriptedPeer peer = new ScriptedPeer(0);
                Socket visitor = new Socket("127.0.0.1", Integer.parseInt(endpoint.split(":")[1]))) {
            visitor.getOutputStream().write("discovery 1 run-b\n".getBytes(StandardCharsets.ISO_8859_1));
            b.follow(b.at(endpoint), a.at(peer.endpoint()));
            Socket watched = peer.reply("same\n");
            b.awaitConnected(1);
            b.close();
            assertThat(rest(visitor)).isEqualTo("same\nbye\n");
            assertThat(rest(watched)).isEmpty();
        }
    }

    private static String rest(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void noReplyIsNoInformation() {
        try (ScriptedPeer peer = new ScriptedPeer(0)) {
            watch(peer.endpoint());
            Socket socket = peer.reply("same\n");
            a.awaitConnected(1);
            ScriptedPeer.reset(socket);
            ScriptedPeer.reset(peer.reply(""));
            ScriptedPeer.reset(peer.reply("what?\n"));
            ScriptedPeer.reset(peer.reply("x".repeat(100_000)));
            peer.reply("same\n");
            a.awaitConnected(1);
        }
        assertThat(a.suspected).isEmpty();
    }

    @Test
    void aConnectionThatEndsAgainAndAgainIsEstablishedAfterAPause() {
        try (ScriptedPeer peer = new ScriptedPeer(0)) {
            watch(peer.endpoint());
            for (int i = 0; i < 2; i++) {
                Socket socket = peer.reply("same\n");
                a.awaitConnected(1);
                ScriptedPeer.reset(socket);
                a.awaitDisconnected();
            }
            long ended = System.nanoTime();
            peer.reply("same\n");
            assertThat(System.nanoTime() - ended)
                    .isGreaterThan(Duration.ofMillis(500).toNanos());
        }
        assertThat(a.suspected).isEmpty();
    }

    @Test
    void aNeighbourIsWatchedWhereTheMachineIsNotKnown() {
        try (Watcher unknown = new Watcher("c", "")) {
            unknown.follow(unknown.at(""), b.listening());
            unknown.awaitConnected(1);
        }
    }

    @Test
    void aPortThatNeverAnsweredAccusesNoMemberAndIsNamed() {
        int port;
        try (ScriptedPeer peer = new ScriptedPeer(0)) {
            port = peer.port();
        }
        watch("127.0.0.1:" + port);
        Watcher.await().until(() -> a.neighbours.watches.size() == 1);
        assertThat(a.neighbours.problems()).isEmpty();
        a.pass(Duration.ofSeconds(10));
        assertThat(a.neighbours.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ReasonCode.NOT_WATCHED);
            assertThat(problem.sentence(id -> id))
                    .startsWith("crashes of b are noticed after the session timeout: 127.0.0.1:" + port
                            + " does not answer");
        });
        try (ScriptedPeer peer = new ScriptedPeer(port)) {
            peer.reply("other\n");
            peer.reply("same\n");
            a.awaitConnected(1);
        }
        assertThat(a.neighbours.problems()).isEmpty();
        assertThat(a.suspected).isEmpty();
    }

    @Test
    void aNameIsNotUsed() {
        Watcher elsewhere = new Watcher("b", "another machine");
        try (ScriptedPeer peer = new ScriptedPeer(0)) {
            for (String endpoint : List.of("localhost:" + peer.port(), "127.0.0.1:0", "x", ":1")) {
                a.follow(a.at(""), elsewhere.at(endpoint));
                Watcher.await().until(() -> a.neighbours.watches.stream()
                        .anyMatch(watch -> watch.isOf(elsewhere.at(endpoint))));
            }
            a.pass(Duration.ofSeconds(10));
            assertThat(a.neighbours.problems()).hasSize(1);
            // The first connection that arrives is that to the usable endpoint.
            watch(peer.endpoint());
            peer.reply("same\n");
            a.awaitConnected(1);
        }
    }
}
