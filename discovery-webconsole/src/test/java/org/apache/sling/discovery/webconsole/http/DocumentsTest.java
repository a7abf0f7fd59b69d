// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.http;

import static org.apache.sling.discovery.webconsole.testing.PublishedSchema.valid;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPInputStream;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.commons.report.TopologyReport.View;
import org.apache.sling.discovery.webconsole.query.ReportReader;
import org.apache.sling.discovery.webconsole.testing.AskedReporter;
import org.apache.sling.discovery.webconsole.testing.Records;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.apache.sling.discovery.webconsole.testing.Sent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The JSON document, and how replies are encoded. */
class DocumentsTest {
    private final Router router = new Router(new ReportReader(10));
    private final AskedReporter reporter = new AskedReporter(Reports.settled(3));
    private final Sent sent = new Sent();
    private Reply reply;

    @Test
    void answersWithTheWholeReport() {
        JsonNode json = valid(get());
        assertThat(reply.status()).isEqualTo(200);
        assertThat(json.at("/clusters/0/instances")).hasSize(3);
        assertThat(reporter.asked()).isEqualTo(1);
        assertThat(reply.headers())
                .containsEntry("Content-Type", "application/json;charset=utf-8")
                .containsEntry("Content-Length", String.valueOf(reply.content().length))
                .containsEntry("Cache-Control", "private, no-cache")
                .containsEntry("X-Content-Type-Options", "nosniff");
        assertThat(reply.headers().get("ETag")).startsWith("W/\"42-1-");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "gzip"})
    void headIsTheSameWithoutContent(String encoding) {
        sent.headers.put("Accept-Encoding", encoding);
        get();
        Map<String, String> ofGet = reply.headers();
        assertThat(send("HEAD", router, reporter)).isEmpty();
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.headers()).isEqualTo(ofGet);
    }

    @Test
    void whatIsKnownIsNotSentAgain() {
        get();
        String tag = reply.headers().get("ETag");
        for (String known : List.of(tag, tag.substring(2), "\"other\" , " + tag, "*")) {
            sent.headers.put("If-None-Match", known);
            assertThat(get()).as(known).isEmpty();
            assertThat(reply.status()).isEqualTo(304);
            assertThat(reply.headers()).containsEntry("ETag", tag).containsEntry("Cache-Control", "private, no-cache");
        }
        sent.headers.put("If-None-Match", "\"other\"");
        valid(get());
        assertThat(reply.status()).isEqualTo(200);
    }

    @Test
    void anotherRevisionAnotherViewAndAnotherProcessAreSent() {
        get();
        sent.headers.put("If-None-Match", reply.headers().get("ETag"));
        View over = Records.with(Reports.settled(3).view().orElseThrow(), "current", false);
        reporter.reports(Reports.revised(Reports.settled(3), 2));
        assertThat(get()).isNotEmpty();
        reporter.reports(Records.with(Reports.settled(3), "view", Optional.empty()));
        assertThat(get()).isNotEmpty();
        reporter.reports(Records.with(Reports.settled(3), "view", Optional.of(over)));
        assertThat(valid(get()).at("/view/current").asBoolean()).isFalse();
        reporter.reports(Reports.settled(3));
        assertThat(get()).isEmpty();
        assertThat(send("GET", new Router(), reporter)).isNotEmpty();
        assertThat(send("GET", router, new AskedReporter(Reports.settled(3)))).isNotEmpty();
    }

    @Test
    void whatIsIncompleteHasNoTag() {
        reporter.historyAnswers(new CompletableFuture<>());
        sent.headers.put("If-None-Match", "*");
        assertThat(valid(get()).at("/history/problems/0").asText()).contains("incomplete");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.headers()).doesNotContainKey("ETag").containsEntry("Cache-Control", "no-store");
    }

    @Test
    void aFilterSelectsInstances() {
        sent.parameters.put("filter", "(position=2)");
        JsonNode json = valid(get());
        assertThat(json.at("/clusters/0/instances")).hasSize(1);
        assertThat(json.at("/clusters/0/instances/0/id").asText()).isEqualTo(Reports.id(2));
        assertThat(json.at("/selection/filter").asText()).isEqualTo("(position=2)");
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0", "'', 1"})
    void sinceSelectsLaterViews(String since, int views) {
        reporter.reports(Reports.hostile("text"));
        sent.parameters.put("since", since);
        JsonNode json = valid(get());
        assertThat(json.at("/history/entries")).hasSize(views);
        assertThat(json.at("/history/problems")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "since, x",
        "since, -1",
        "since, 1.5",
        "since, 9223372036854775808",
        "since, <script>",
        "filter, (",
        "filter, <script>",
        "filter, leader=true",
        "filtre, (leader=true)",
        "only, everything",
        "only, Status",
        "only, 'status '"
    })
    void aWrongParameterIsExplained(String parameter, String value) {
        sent.parameters.put(parameter, value);
        assertBad(parameter, value);
    }

    @Test
    void theStatusHasNothingToSelectFrom() {
        sent.parameters.putAll(Map.of("only", "status", "since", "3"));
        assertBad("since", "3");
    }

    private void assertBad(String parameter, String value) {
        String written = get();
        assertThat(written).doesNotContain("<");
        JsonNode error = valid(written, "error").get("error");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(error.get("parameter").asText()).isEqualTo(parameter);
        assertThat(error.get("value").asText()).isEqualTo(value);
        assertThat(error.get("message").asText())
                .contains(parameter, error.get("example").asText());
        assertThat(reply.headers()).doesNotContainKey("ETag").containsEntry("Cache-Control", "no-store");
    }

    @Test
    void theStatusIsSmallAndDoesNotReadTheHistory() {
        sent.parameters.put("only", "status");
        JsonNode json = valid(get(), "onlyStatus");
        assertThat(reply.content().length).isLessThan(1_000);
        assertThat(reporter.asked()).isZero();
        assertThat(json.get("state").asText()).isEqualTo("SETTLED");
        assertThat(json.get("current").asBoolean()).isTrue();
        assertThat(json.get("leader").asText()).isEqualTo(Reports.id(1));
        assertThat(json.get("members").asInt()).isEqualTo(3);
        assertThat(json.get("health").asText()).isEqualTo("OK");
        sent.headers.put("If-None-Match", reply.headers().get("ETag"));
        assertThat(get()).isEmpty();
        assertThat(reply.status()).isEqualTo(304);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip | true",
                "br, gzip | true",
                "deflate, GZIP;q=0.5 | true",
                "gzip, br | true",
                "br | false",
                "gzip;q=0 | false",
                "gzip; q=0.000, br | false",
                "'' | false",
                "xgzip | false"
            })
    void theClientDecidesWhetherTheContentIsCompressed(String accepted, boolean compressed) throws IOException {
        String plain = get();
        String tag = reply.headers().get("ETag");
        sent.headers.put("Accept-Encoding", accepted);
        String sentText = get();
        assertThat(reply.headers()).containsEntry("Vary", "Accept-Encoding").containsEntry("ETag", tag);
        assertThat(reply.headers().containsKey("Content-Encoding")).isEqualTo(compressed);
        if (compressed) {
            try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(reply.content()))) {
                sentText = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
        assertThat(sentText).isEqualTo(plain);
        sent.parameters.put("only", "status");
        get();
        assertThat(reply.headers()).as("a short one").doesNotContainKey("Content-Encoding");
    }

    @Test
    void saysThatTheServiceIsAbsent() {
        JsonNode json = valid(send("GET", router, null), "error");
        assertThat(reply.status()).isEqualTo(503);
        assertThat(json.at("/error/message").asText()).isEqualTo("The discovery service is not active.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "get", "OPTIONS"})
    void canOnlyBeRead(String method) {
        String written = send(method, router, reporter);
        assertThat(reply.headers()).containsEntry("Allow", "GET, HEAD, OPTIONS");
        if (method.equals("OPTIONS")) {
            assertThat(reply.status()).isEqualTo(204);
        } else {
            valid(written, "error");
            assertThat(reply.status()).isEqualTo(405);
        }
    }

    private String get() {
        return send("GET", router, reporter);
    }

    private String send(String method, Router asked, Reporter answering) {
        reply = asked.answer(sent.request(method, "/topology.json"), answering, null);
        return Sent.text(reply);
    }
}
