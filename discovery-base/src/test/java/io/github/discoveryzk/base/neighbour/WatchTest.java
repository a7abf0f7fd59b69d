// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.environment.Machine;
import io.github.discoveryzk.base.environment.ProcFolder;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.base.protocol.Facts.Suspect;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.testing.server.TcpProxy;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When an instance suspects a neighbour, and when it does not. Each test waits, for sockets of its own. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(value = "discovery-neighbours", mode = ResourceAccessMode.READ)
class WatchTest {

    private static final Suspect SUSPECT = new Suspect("m-b", false, 0);

    private final Watcher a = new Watcher("a");
    private final Watcher b = new Watcher("b");
    private ProcFolder proc;

    /** Process 7 is there, started at 100. */
    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        proc = ProcFolder.in(directory, "boot-1", "1");
        proc.start(7, 100);
    }

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
        Machine none = new Machine(Path.of("none"), 1);
        try (Watcher unknown = new Watcher("c", none);
                Watcher other = new Watcher("d", none)) {
            unknown.follow(unknown.at(""), other.listening());
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
        assertThat(a.problems(a.at(""), b.at(""))).isEmpty();
        a.pass(Duration.ofSeconds(10));
        assertThat(a.problems(a.at(""), b.at(""))).singleElement().satisfies(problem -> {
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
        assertThat(a.problems(a.at(""), b.at(""))).isEmpty();
        assertThat(a.suspected).isEmpty();
    }

    @Test
    void onlyTheAddressOfAHostIsUsedAndLoopbackOnlyOnTheSameMachine() {
        ProcessInfo forged = new ProcessInfo("x\r\nFLUSHALL\r\n", "host", 1, "/", 0);
        try (ScriptedPeer peer = new ScriptedPeer(0)) {
            for (String endpoint : List.of(
                    "localhost:" + peer.port(), "127.0.0.1:0", "x", ":1", "0.0.0.0:" + peer.port(), peer.endpoint())) {
                Member member = Watcher.member("b", forged.withEndpoint(endpoint, "another machine", ""));
                a.follow(a.at(""), member);
                Watcher.await().until(() -> a.neighbours.watches.stream().anyMatch(watch -> watch.isOf(member)));
            }
            a.pass(Duration.ofSeconds(10));
            assertThat(a.problems(a.at(""), b.at(""))).hasSize(1);
            a.follow(a.at(""));
            // The first connection that arrives is that to the usable endpoint.
            watch(peer.endpoint());
            peer.reply("same\n");
            a.awaitConnected(1);
            assertThat(peer.greetings).containsExactly("discovery 1 run-b");
        }
    }

    @Test
    void onlyTheEndOfTheProcessThatTheRecordNamesIsProven() throws IOException {
        assertThat(suspectAfterTheEnd("7/100")).isEqualTo(new Suspect("m-b", true, 0));
    }

    /** Of two systems that were started from one image each has other processes, with the same ids. */
    @ParameterizedTest
    @ValueSource(strings = {"", "7/99", "8/100"})
    void theEndOfAProcessThatTheRecordDoesNotNameIsNone(String processName) throws IOException {
        assertThat(suspectAfterTheEnd(processName)).isEqualTo(SUSPECT);
    }

    @Test
    void whereTheMachineIsNotKnownNoEndIsProven() throws IOException {
        proc.show(1, "1");
        assertThat(suspectAfterTheEnd("7/100")).isEqualTo(SUSPECT);
    }

    /** Returns what is suspected when process 7, started at 100, has ended. */
    private Suspect suspectAfterTheEnd(String processName) throws IOException {
        Machine machine = proc.machine();
        try (Watcher c = new Watcher("c", machine);
                ScriptedPeer peer = new ScriptedPeer(0)) {
            c.follow(c.at(""), seven(peer, processName));
            Socket socket = peer.reply("same\n");
            c.awaitConnected(1);
            proc.end(7);
            peer.stop();
            ScriptedPeer.reset(socket);
            Watcher.await().until(() -> !c.suspects().isEmpty());
            return c.suspects().iterator().next();
        }
    }

    private Member seven(ScriptedPeer peer, String processName) {
        ProcessInfo seven = new ProcessInfo("run-b", "host", 7, "/", 0);
        return Watcher.member(
                "b", seven.withEndpoint(peer.endpoint(), proc.machine().id().orElse(""), processName));
    }

    @Test
    void afterAGoodbyeTheEndOfTheProcessMakesNoSuspect() throws IOException {
        try (Watcher c = new Watcher("c", proc.machine());
                ScriptedPeer peer = new ScriptedPeer(0)) {
            c.follow(c.at(""), seven(peer, "7/100"));
            Socket socket = peer.reply("same\n");
            c.awaitConnected(1);
            proc.end(7);
            socket.getOutputStream().write("bye\n".getBytes(StandardCharsets.ISO_8859_1));
            // The reply to the next attempt has been taken in when there is a further one.
            peer.reply("other\n");
            peer.reply("same\n");
            c.awaitConnected(1);
            assertThat(c.suspected).isEmpty();
        }
    }

    @Test
    void aRefusalThatComesLateSaysNothing() {
        try (ScriptedPeer peer = new ScriptedPeer(0)) {
            watch(peer.endpoint());
            Socket socket = peer.reply("same\n");
            a.awaitConnected(1);
            long before = a.passed.get();
            a.step = 1_000;
            peer.stop();
            ScriptedPeer.reset(socket);
            // The end of the connection, begin and end of the next one, begin of the one after it.
            Watcher.await().until(() -> a.passed.get() >= before + 4_000);
        }
        assertThat(a.suspected).isEmpty();
    }

    @Test
    void theAgeOfAHintIsCountedFromTheEndOfTheConnection() {
        try (ScriptedPeer peer = new ScriptedPeer(0)) {
            watch(peer.endpoint());
            Socket socket = peer.reply("same\n");
            a.awaitConnected(1);
            ScriptedPeer.reset(socket);
            a.awaitDisconnected();
            a.pass(Duration.ofHours(1));
            peer.stop();
        }
        a.awaitSuspects(SUSPECT);
        long hour = Duration.ofHours(1).toMillis();
        assertThat(a.suspected.get(0))
                .allMatch(each -> each.since() < Time.SYSTEM.monotonic().getAsLong() + hour / 2);
    }

    @Test
    void anotherIncarnationAtTheSameEndpointIsWatchedInPlaceOfTheEarlierOne() {
        try (ScriptedPeer peer = new ScriptedPeer(0)) {
            watch(peer.endpoint());
            peer.reply("other\n");
            Member next = Watcher.member(
                    "c",
                    new ProcessInfo("run-c", "host", 1, "/", 0).withEndpoint(peer.endpoint(), b.process.machine(), ""));
            a.follow(a.at(""), next);
            peer.reply("other\n");
            // The earlier one would connect again before this.
            peer.reply("same\n");
            a.awaitConnected(1);
            assertThat(peer.greetings).containsExactly("discovery 1 run-b", "discovery 1 run-c", "discovery 1 run-c");
        }
    }

    @Test
    void aMemberThatHasGoneIsNoProblemWhileTheChangeLasts() {
        watch("127.0.0.1:1");
        Watcher.await().until(() -> a.neighbours.watches.size() == 1);
        a.pass(Duration.ofSeconds(10));
        assertThat(a.problems(a.at(""), b.at(""))).hasSize(1);
        assertThat(a.problems(a.at(""))).isEmpty();
    }
}
