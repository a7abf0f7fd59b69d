// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.List;
import org.apache.sling.discovery.testing.server.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerDiagnosisTest {
    private static final String LIMITED = "raise maxClientCnxns";

    private static InetSocketAddress loopback(int port) {
        return InetSocketAddress.createUnresolved("127.0.0.1", port);
    }

    private static String sentence(boolean encrypted, Integer... ports) {
        return new ServerDiagnosis(
                        List.of(ports).stream()
                                .map(ServerDiagnosisTest::loopback)
                                .toList(),
                        () -> encrypted)
                .sentence(() -> false);
    }

    @Test
    void serverThatClosesConnectionsIsNamedAndNotTheOther(@TempDir Path one, @TempDir Path two) throws Exception {
        try (TestServer full = new TestServer(one);
                TestServer other = new TestServer(two)) {
            full.limitConnections(1);
            full.with(only -> assertThat(sentence(false, other.port(), full.port()))
                    .startsWith("ZooKeeper at 127.0.0.1:" + full.port() + " accepts the connections of this host")
                    .contains(LIMITED));
        }
    }

    @Test
    void serverThatDoesNotServeRequestsLacksAQuorum(@TempDir Path data) throws Exception {
        try (TestServer server = new TestServer(data)) {
            server.stop();
            assertThat(sentence(false, server.port()))
                    .startsWith("No ZooKeeper server answers at 127.0.0.1:" + server.port());
            server.startIdle();
            assertThat(sentence(false, server.port()))
                    .startsWith("ZooKeeper at 127.0.0.1:" + server.port() + " runs and does not serve requests.")
                    .contains("quorum");
        }
    }

    @Test
    void serverThatRepliesNothingIsNotSaidToCloseConnections() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
            assertThat(sentence(false, silent.getLocalPort()))
                    .startsWith("No ZooKeeper server answers")
                    .doesNotContain(LIMITED);
        }
    }

    @Test
    void encryptedServerIsNotAsked() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
            server.setSoTimeout(1);
            assertThat(sentence(true, server.getLocalPort())).contains("maxClientCnxns", "quorum");
            assertThat(catchThrowable(server::accept)).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void cancelledDiagnosisAsksNoServer() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
            server.setSoTimeout(1);
            new ServerDiagnosis(List.of(loopback(server.getLocalPort())), () -> false).sentence(() -> true);
            assertThat(catchThrowable(server::accept)).isInstanceOf(SocketTimeoutException.class);
        }
    }
}
