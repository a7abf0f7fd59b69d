// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.discoveryzk.zk.server.ensemble.Answer.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MembersTest {
    private static Entry free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return entry(socket.getLocalPort());
        }
    }

    private static Entry entry(int port) {
        return Entry.parse(1, "127.0.0.1:" + port + ":1:2");
    }

    private static Kind ask(Entry entry) {
        return new Members(new Servers(List.of(entry))).answer(entry).kind();
    }

    @Test
    void aWaitingServerSaysWhatItWaitsFor() throws Exception {
        Entry entry = free();
        try (Placeholder placeholder = new Placeholder(entry, Kind.EMPTY)) {
            assertThat(ask(entry)).isEqualTo(Kind.EMPTY);
            placeholder.change(Kind.FORMING);
            assertThat(ask(entry)).isEqualTo(Kind.FORMING);
        }
        assertThat(ask(entry)).isEqualTo(Kind.SILENT);
    }

    /** The reply would be complete after three seconds. */
    @Test
    void aReplyThatDripsDoesNotComeInTime() throws Exception {
        try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> dripping = CompletableFuture.runAsync(() -> drip(port, "\n".repeat(30)));
            assertThat(ask(entry(port.getLocalPort()))).isEqualTo(Kind.MUTE);
            assertThat(dripping).failsWithin(Duration.ofSeconds(20));
        }
    }

    private static void drip(ServerSocket port, String drops) {
        try (Socket client = port.accept()) {
            client.setSoTimeout(100);
            client.getInputStream().readNBytes("srvr".length());
            for (byte drop : drops.getBytes(UTF_8)) {
                client.getOutputStream().write(drop);
                assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(client.getInputStream()::read);
            }
            client.getOutputStream().write("Mode: leader\n".getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aProcessThatDoesNotReplyMayBeAServer() throws Exception {
        try (ServerSocket paused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(ask(entry(paused.getLocalPort()))).isEqualTo(Kind.MUTE);
        }
    }
}
