// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.connectors;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.connectors.SlingInstance.Exchange;
import io.github.discoveryzk.it.connectors.SlingInstance.Known;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two clusters of Sling talk to each other. This shows that the processes with Sling's connectors garble texts as Sling does, so that the
 * tests of our side can rely on them.
 */
@Tag("thorough")
class SlingPeersIT {

    private static final Map<String, ?> PLAIN = Map.of();

    private SlingCluster a;
    private SlingCluster b;
    private SlingInstance client;
    private SlingInstance server;

    /** Starts two clusters of one instance with that text, and connects the first to the second. */
    private void connect(Map<String, ?> ofClient, Map<String, ?> ofServer, String text, String... serverOptions) {
        a = SlingCluster.start("sling-a", ofClient);
        b = SlingCluster.start("sling-b", ofServer, List.of(serverOptions));
        client = a.join("a1", Map.of("text", text));
        server = b.join("b1", Map.of("text", text));
        client.connect(server.url());
    }

    @AfterEach
    void stop() {
        a.close();
        b.close();
    }

    private static Known known(String id, String text) {
        return new Known(id, id.startsWith("a") ? "sling-a" : "sling-b", true, Map.of("text", text));
    }

    @Test
    void slingGarblesPlainTextOnServersThatAssumeWhatServletsSay() {
        connect(PLAIN, Map.of("assumedCharset", "ISO-8859-1"), "é");
        assertThat(server.known()).containsExactly(known("a1", "Ã©"));
        assertThat(client.known()).containsExactly(known("b1", "é"));
    }

    @Test
    void slingGarblesCompressedTextOnMachinesWithAnotherCharset() {
        connect(Map.of("gzipConnectorRequestsEnabled", true), PLAIN, "é", "-Dfile.encoding=ISO-8859-1");
        assertThat(server.known()).containsExactly(known("a1", "Ã©"));
        untilAsserted(() ->
                assertThat(server.exchanges()).extracting(Exchange::encoding).containsExactly("gzip"));
    }
}
