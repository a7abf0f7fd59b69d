// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ConnectStringTest {

    private static final int LIMIT_MILLIS = 5_000;

    @Test
    void readsServersWithAndWithoutPortBeforeThePath() throws LaunchException {
        assertThat(ConnectString.parse("a:1, b,[::1]:3,[::2]/some/path").servers())
                .containsExactly(
                        InetSocketAddress.createUnresolved("a", 1),
                        InetSocketAddress.createUnresolved("b", 2181),
                        InetSocketAddress.createUnresolved("::1", 3),
                        InetSocketAddress.createUnresolved("::2", 2181));
    }

    @Test
    void aServerWithoutQuorumIsNotEnough() throws Exception {
        try (ServerSocket server = listen()) {
            CompletableFuture<Void> answered =
                    answer(server, "This ZooKeeper instance is not currently serving requests\n");

            assertThatThrownBy(() -> connectString(server).check(LIMIT_MILLIS))
                    .isInstanceOf(LaunchException.class)
                    .hasMessageContaining("127.0.0.1:" + server.getLocalPort() + " has no quorum");
            answered.join();
        }
    }

    @Test
    void aServerThatRefusesTheCommandIsEnough() throws Exception {
        try (ServerSocket server = listen()) {
            CompletableFuture<Void> answered =
                    answer(server, "srvr is not executed because it is not in the whitelist.\n");

            assertThatCode(() -> connectString(server).check(LIMIT_MILLIS)).doesNotThrowAnyException();
            answered.join();
        }
    }

    private static ServerSocket listen() throws IOException {
        ServerSocket server = new ServerSocket();
        server.bind(Ports.address(0));
        return server;
    }

    private static ConnectString connectString(ServerSocket server) throws LaunchException {
        return ConnectString.parse(Ports.HOST + ":" + server.getLocalPort());
    }

    private static CompletableFuture<Void> answer(ServerSocket server, String text) {
        return CompletableFuture.runAsync(() -> {
            try (Socket client = server.accept()) {
                client.getInputStream().readNBytes("srvr".length());
                client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
