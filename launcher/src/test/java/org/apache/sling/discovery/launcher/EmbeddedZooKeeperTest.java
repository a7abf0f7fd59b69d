// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedZooKeeperTest {

    @TempDir
    Path folder;

    @Test
    void servesOnOneAddressAndAnswersTheMonitoringWords() throws Exception {
        try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(folder)) {
            assertThat(server.connectString()).startsWith("127.0.0.1:");
            assertThat(ask(server.port(), "ruok")).isEqualTo("imok");
            assertThat(ask(server.port(), "mntr")).contains("zk_server_state\tstandalone");
        }
    }

    @Test
    void comesBackOnThePortItHad() throws Exception {
        EmbeddedZooKeeper first = EmbeddedZooKeeper.start(folder);
        first.close();

        try (EmbeddedZooKeeper second = EmbeddedZooKeeper.start(folder)) {
            assertThat(second.port()).isEqualTo(first.port());
        }
    }

    @Test
    void takesAnotherPortWhenThatOneIsGone() throws Exception {
        EmbeddedZooKeeper first = EmbeddedZooKeeper.start(folder);
        first.close();

        try (ServerSocket intruder = new ServerSocket()) {
            intruder.bind(Ports.address(first.port()));
            try (EmbeddedZooKeeper second = EmbeddedZooKeeper.start(folder)) {
                assertThat(second.port()).isNotEqualTo(first.port());
            }
        }
    }

    private static String ask(int port, String word) throws Exception {
        try (Socket socket = new Socket(Ports.HOST, port)) {
            socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
