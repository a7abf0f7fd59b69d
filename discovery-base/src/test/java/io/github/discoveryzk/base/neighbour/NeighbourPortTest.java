// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What strangers can do to an instance, which is nothing. */
@Timeout(120)
@ResourceLock(value = "discovery-neighbours", mode = ResourceAccessMode.READ)
class NeighbourPortTest {

    private static final int FLOOD = 2_000;

    private final Watcher a = new Watcher("a");
    private final Watcher b = new Watcher("b");
    private final String endpoint = b.neighbours.listen();
    private final int port = Integer.parseInt(endpoint.substring(endpoint.indexOf(':') + 1));

    @AfterEach
    void theNeighbourIsWatchedAndNotSuspected() {
        a.follow(a.at(""), b.at(endpoint));
        a.awaitConnected(1);
        assertThat(a.suspected).isEmpty();
        a.close();
        b.close();
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Returns all that is received until the connection ends. */
    private static String rest(Socket socket) throws IOException {
        StringBuilder all = new StringBuilder();
        try {
            for (int each = socket.getInputStream().read();
                    each >= 0;
                    each = socket.getInputStream().read()) {
                all.append((char) each);
            }
        } catch (SocketException e) {
            all.append(""); // Reset, because something was left unread.
        }
        return all.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\n",
                "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
                "discovery 2 run-b\n",
                "discovery 1\n",
                "\u0000\u00ff\u0016\u0003\n",
                "bye\n",
                "same\n",
            })
    void aStrangerIsClosedWithoutAReply(String text) throws IOException {
        try (Socket socket = connect()) {
            send(socket, text);
            assertThat(rest(socket)).isEmpty();
        }
    }

    @Test
    void aSlowStrangerAndOneThatSaysNothingAreClosed() throws IOException {
        try (Socket slow = connect();
                Socket silent = connect()) {
            send(slow, "disc");
            assertThat(rest(slow)).isEmpty();
            assertThat(rest(silent)).isEmpty();
        }
    }

    @Test
    void aLineWithoutAnEndIsNotKept() throws IOException {
        try (Socket socket = connect()) {
            send(socket, "discovery 1 " + "x".repeat(1_000));
            assertThat(rest(socket)).isEmpty();
        }
    }

    /** Instances of other versions say the same. */
    @ParameterizedTest
    @CsvFileSource(resources = "/wire/neighbour.txt", delimiter = '|')
    void theRuntimeIdIsAnsweredInTheseBytes(String sent, String reply) throws IOException {
        try (Socket socket = connect()) {
            send(socket, sent.translateEscapes());
            assertThat(rest(socket)).isEqualTo(reply.translateEscapes());
        }
    }

    @Test
    void theRightOneIsClosedIfItSaysMoreThanANeighbourDoes() throws IOException {
        try (Socket socket = connect()) {
            send(socket, "discovery 1 run-b\n");
            assertThat(new String(socket.getInputStream().readNBytes(5), StandardCharsets.ISO_8859_1))
                    .isEqualTo("same\n");
            send(socket, "x".repeat(100_000));
            assertThat(rest(socket)).isIn("", "bye\n");
        }
    }

    @Test
    void manyStrangersTakeABoundedNumberOfConnectionsAndNoPlaceOfANeighbour() throws IOException {
        a.follow(a.at(""), b.at(endpoint));
        a.awaitConnected(1);
        List<Socket> strangers = new ArrayList<>();
        for (int i = 0; i < FLOOD; i++) {
            strangers.add(connect());
        }
        // All but the last ones are closed, the first ones first; a read of what is closed returns.
        for (Socket each : strangers.subList(0, FLOOD - NeighbourPort.CONNECTIONS)) {
            assertThat(rest(each)).isEmpty();
        }
        assertThat(a.neighbours.watches).allMatch(Watch::isConnected);
        for (Socket each : strangers) {
            each.close();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX) // Elsewhere a host has a single loopback address.
    void visitorsThatKnowTheRuntimeIdTakeNoPlaceOfANeighbourAtAnotherAddress() throws IOException {
        a.follow(a.at(""), b.at(endpoint));
        a.awaitConnected(1);
        List<Socket> visitors = new ArrayList<>();
        for (int i = 0; i < 2 * NeighbourPort.CONNECTIONS; i++) {
            Socket visitor = new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName("127.0.0.2"), 0);
            send(visitor, "discovery 1 run-b\n");
            assertThat(visitor.getInputStream().read()).isEqualTo('s');
            visitors.add(visitor);
        }
        for (Socket each : visitors.subList(0, NeighbourPort.CONNECTIONS)) {
            assertThat(rest(each)).endsWith("bye\n");
        }
        try (Watcher c = new Watcher("c")) {
            c.follow(c.at(""), b.at(endpoint));
            c.awaitConnected(1);
        }
        assertThat(a.isConnected(1)).isTrue();
        for (Socket each : visitors) {
            each.close();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void visitorsAtManyAddressesThatKnowTheRuntimeIdKeepNoNeighbourOut() throws IOException {
        List<Socket> visitors = new ArrayList<>();
        for (int i = 1; i <= NeighbourPort.CONNECTIONS; i++) {
            Socket visitor =
                    new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName("127.0.1." + i), 0);
            send(visitor, "discovery 1 run-b\n");
            assertThat(visitor.getInputStream().read()).isEqualTo('s');
            visitors.add(visitor);
        }
        a.follow(a.at(""), b.at(endpoint));
        a.awaitConnected(1);
        for (Socket each : visitors) {
            each.close();
        }
    }

    @Test
    void halfOpenAndHalfClosedConnectionsEnd() throws IOException {
        try (Socket socket = connect()) {
            socket.shutdownOutput();
            assertThat(rest(socket)).isEmpty();
        }
        for (int i = 0; i < 2 * NeighbourPort.CONNECTIONS; i++) {
            Socket socket = connect();
            send(socket, "discovery 1 run-b\n");
            ScriptedPeer.reset(socket);
        }
    }
}
