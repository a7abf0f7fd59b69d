// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.sling.discovery.webconsole.testing.Answer;
import org.apache.sling.discovery.webconsole.testing.Sent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodyTest {
    private static final byte[] LONG = "long ".repeat(1_000).getBytes(StandardCharsets.UTF_8);

    private final Sent sent = new Sent();
    private final Answer answer = new Answer();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip | true",
                "deflate, GZIP;q=0.5 | true",
                "* | true",
                "br | false",
                "gzip;q=0 | false",
                "gzip; q=0.000, * | false",
                "*;q=0 | false",
                "'' | false",
                "xgzip | false"
            })
    void theClientDecidesWhetherTheContentIsCompressed(String accepted, boolean compressed) throws IOException {
        assertThat(Body.acceptsCompression(accepted)).isEqualTo(compressed);
        sent.headers.put("Accept-Encoding", accepted);
        new Body("text/plain", () -> LONG, Optional.empty()).send(sent.request("GET", "/"), answer);
        assertThat(answer.bytes.size() < LONG.length).isEqualTo(compressed);
        assertThat(answer.headers.containsKey("Content-Encoding")).isEqualTo(compressed);
        assertThat(answer.headers).containsEntry("Vary", "Accept-Encoding").doesNotContainKey("ETag");
    }

    @Test
    void aShortContentIsSentAsItIs() throws IOException {
        sent.headers.put("Accept-Encoding", "gzip");
        new Body("text/plain", () -> new byte[] {'a'}, Optional.of("\"x\"")).send(sent.request("GET", "/"), answer);
        assertThat(answer.bytes).hasToString("a");
        assertThat(answer.headers).doesNotContainKey("Content-Encoding").containsEntry("ETag", "\"x\"");
    }

    @Test
    void aWeakTagIsTheSameForBothForms() throws IOException {
        sent.headers.put("Accept-Encoding", "gzip");
        new Body("text/plain", () -> LONG, Optional.of("W/\"x\"")).send(sent.request("GET", "/"), answer);
        assertThat(answer.headers).containsEntry("ETag", "W/\"x\"").containsEntry("Content-Encoding", "gzip");
    }

    @Test
    void headHasTheLengthOfTheFormThatGetSends() throws IOException {
        sent.headers.put("Accept-Encoding", "gzip");
        Body body = new Body("text/plain", () -> LONG, Optional.empty());
        body.send(sent.request("HEAD", "/"), answer);
        assertThat(answer.bytes.size()).isZero();
        String length = answer.headers.get("Content-Length");
        body.send(sent.request("GET", "/"), answer);
        assertThat(length).isEqualTo(String.valueOf(answer.bytes.size())).isNotEqualTo(String.valueOf(LONG.length));
    }
}
