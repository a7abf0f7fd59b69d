// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.it.connectors.SlingInstance.Exchange;
import org.apache.sling.discovery.it.connectors.SlingInstance.Known;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two clusters of Sling talk to each other. This shows that the processes with Sling's connectors work as Sling does, also where
 * Sling is broken, so that the tests of our side can rely on them.
 */
@Tag("thorough")
class SlingPeersIT {

    private static final Map<String, ?> PLAIN = Map.of();
    private static final Map<String, ?> ENCRYPTED =
            Map.of("hmacEnabled", true, "enableEncryption", true, "sharedKey", "s3cret");

    /** Not in US-ASCII, also beyond the basic plane. */
    private static final String TEXT = "Zürich 東京 \uD83D\uDE00";

    @Test
    void plainMessagesConnect() {
        try (SlingCluster a = SlingCluster.start("sling-a", PLAIN);
                SlingCluster b = SlingCluster.start("sling-b", PLAIN)) {
            SlingInstance client = a.join("a1", Map.of("role", "author"));
            a.join("a2");
            SlingInstance server = b.join("b1", Map.of("role", "publish"));
            client.connect(server.url());
            assertThat(client.connector().connected()).isTrue();
            assertThat(client.known()).containsExactly(new Known("b1", "sling-b", true, Map.of("role", "publish")));
            assertThat(server.known())
                    .containsExactly(
                            new Known("a1", "sling-a", true, Map.of("role", "author")),
                            new Known("a2", "sling-a", false, Map.of()));
            assertThat(server.exchanges())
                    .containsExactly(new Exchange(
                            "PUT", "/libs/sling/topology/connector.a1.json", 200, "", "application/json", false));
            client.leave();
            assertThat(server.exchanges()).last().extracting(Exchange::method).isEqualTo("DELETE");
            assertThat(server.known()).isEmpty();
        }
    }

    @Test
    void encryptedMessagesConnect() {
        try (SlingCluster a = SlingCluster.start("sling-a", ENCRYPTED);
                SlingCluster b = SlingCluster.start("sling-b", ENCRYPTED)) {
            SlingInstance client = a.join("a1", Map.of("text", TEXT));
            SlingInstance server = b.join("b1", Map.of("text", TEXT));
            client.connect(server.url());
            assertThat(client.connector().connected()).isTrue();
            assertThat(client.known()).containsExactly(new Known("b1", "sling-b", true, Map.of("text", TEXT)));
            assertThat(server.known()).containsExactly(new Known("a1", "sling-a", true, Map.of("text", TEXT)));
            assertThat(server.exchanges()).extracting(Exchange::signed).containsExactly(true);
        }
    }

    @Test
    void slingGarblesPlainTextOnServersThatAssumeWhatServletsSay() {
        try (SlingCluster a = SlingCluster.start("sling-a", PLAIN);
                SlingCluster b = SlingCluster.start("sling-b", Map.of("assumedCharset", "ISO-8859-1"))) {
            SlingInstance client = a.join("a1", Map.of("text", "é"));
            SlingInstance server = b.join("b1", Map.of("text", "é"));
            client.connect(server.url());
            assertThat(server.known()).containsExactly(new Known("a1", "sling-a", true, Map.of("text", "Ã©")));
            assertThat(client.known()).containsExactly(new Known("b1", "sling-b", true, Map.of("text", "é")));
        }
    }

    @Test
    void slingGarblesCompressedTextOnMachinesWithAnotherCharset() {
        try (SlingCluster a = SlingCluster.start("sling-a", Map.of("gzipConnectorRequestsEnabled", true));
                SlingCluster b = SlingCluster.start("sling-b", PLAIN, List.of("-Dfile.encoding=ISO-8859-1"))) {
            SlingInstance client = a.join("a1", Map.of("text", "é"));
            SlingInstance server = b.join("b1");
            client.connect(server.url());
            assertThat(server.known()).containsExactly(new Known("a1", "sling-a", true, Map.of("text", "Ã©")));
            assertThat(server.exchanges()).extracting(Exchange::encoding).containsExactly("gzip");
        }
    }

    @Test
    void slingDoesNotReadWhatItOnlySigns() {
        Map<String, ?> signed = Map.of("hmacEnabled", true, "sharedKey", "s3cret");
        try (SlingCluster a = SlingCluster.start("sling-a", signed);
                SlingCluster b = SlingCluster.start("sling-b", signed)) {
            SlingInstance client = a.join("a1");
            SlingInstance server = b.join("b1");
            client.connect(server.url());
            assertThat(client.connector().status()).isEqualTo(500);
            assertThat(server.known()).isEmpty();
        }
    }

    @Test
    void anotherKeyIsHiddenBehindNotFound() {
        try (SlingCluster a = SlingCluster.start("sling-a", ENCRYPTED);
                SlingCluster b = SlingCluster.start(
                        "sling-b", Map.of("hmacEnabled", true, "enableEncryption", true, "sharedKey", "other"))) {
            SlingInstance client = a.join("a1");
            SlingInstance server = b.join("b1");
            client.connect(server.url());
            assertThat(client.connector().status()).isEqualTo(404);
            assertThat(server.known()).isEmpty();
        }
    }
}
