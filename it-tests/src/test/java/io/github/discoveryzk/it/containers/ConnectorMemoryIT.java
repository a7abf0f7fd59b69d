// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.containers;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.cluster.Containers;
import io.github.discoveryzk.it.outside.RawPeer;
import io.github.discoveryzk.launcher.ContainerProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many bodies of the greatest length at the same time, sent to a container in its own process with a heap of 256 MB. */
@Tag("thorough")
class ConnectorMemoryIT {

    private static final int BODY = 8 << 20;
    private static final int SENDERS = 64;
    private static final String PATH = "/libs/sling/topology/connector.x.json";
    private static final String INSTANCE = "{\"slingId\":\"i\",\"isLeader\":false,\"properties\":{}},";

    @TempDir
    private Path folder;

    private ContainerProcess container;

    @Test
    void manyGreatBodiesDoNotExhaustTheHeap() throws Exception {
        try (Containers containers = new Containers(folder)) {
            container = containers.start(containers.settings("one", "a").withConnectors(List.of()));
            Containers.awaitOrder(List.of("a"), container);
            untilAsserted(() -> assertThat(ping()).isEqualTo(200));
            byte[] body = body();

            // Each is nearly read, and needs its bytes. Then all end at the same time.
            sendImmediately(body, "X-Nothing: 1");
            assertThat(ping()).isEqualTo(200);
            // Small on the wire; what is made of them is great.
            sendImmediately(gzip(body), "Content-Encoding: gzip");
            assertThat(ping()).isEqualTo(200);

            assertThat(container.isAlive()).isTrue();
            assertThat(Files.readString(container.log())).doesNotContain("OutOfMemoryError");
        }
    }

    private int port() {
        return container.consoleUri().getPort();
    }

    private int ping() throws IOException {
        String ping =
                "{\"ownerId\":\"x\",\"protocolVersion\":1,\"created\":1,\"localClusterView\":{\"id\":\"c\",\"instances\":["
                        + "{\"slingId\":\"x\",\"isLeader\":true,\"properties\":{}}]},\"topologyAnnouncements\":[]}";
        try (RawPeer peer = new RawPeer("127.0.0.1", port())) {
            peer.write(head(ping.length(), "X-Nothing: 1") + ping);
            return peer.read().status();
        }
    }

    private static String head(int length, String header) {
        return "PUT " + PATH + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n" + header + "\r\nContent-Length: "
                + length + "\r\n\r\n";
    }

    private void sendImmediately(byte[] body, String header) throws IOException {
        List<RawPeer> peers = new ArrayList<>();
        try {
            for (int i = 0; i < SENDERS; i++) {
                RawPeer peer = new RawPeer("127.0.0.1", port());
                peers.add(peer);
                peer.write(head(body.length, header));
                peer.write(Arrays.copyOf(body, body.length - 1));
            }
            peers.forEach(peer -> peer.write(Arrays.copyOfRange(body, body.length - 1, body.length)));
            for (RawPeer peer : peers) {
                // Too much memory, no room, or too late on a machine that is busy; a reset may overtake the reply.
                assertThat(peer.read().status()).isIn(413, 503, 408, RawPeer.CLOSED);
            }
        } finally {
            for (RawPeer peer : peers) {
                peer.close();
            }
        }
    }

    /** As long as allowed, with so many short instances that they would take too much memory as objects. */
    private static byte[] body() {
        StringBuilder body = new StringBuilder(BODY)
                .append("{\"ownerId\":\"x\",\"protocolVersion\":1,\"localClusterView\":{\"id\":\"c\",\"instances\":[");
        while (body.length() + INSTANCE.length() <= BODY) {
            body.append(INSTANCE);
        }
        return body.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(plain);
        }
        return bytes.toByteArray();
    }
}
