// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.json;

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
import org.apache.sling.discovery.commons.report.TopologyReport.View;
import org.apache.sling.discovery.webconsole.query.ReportReader;
import org.apache.sling.discovery.webconsole.testing.Answer;
import org.apache.sling.discovery.webconsole.testing.AskedReporter;
import org.apache.sling.discovery.webconsole.testing.Records;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.apache.sling.discovery.webconsole.testing.Sent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyDocumentTest {
    private final TopologyDocument document = new TopologyDocument(new ReportReader(10));
    private final AskedReporter reporter = new AskedReporter(Reports.settled(3));
    private final Sent sent = new Sent();
    private Answer answer = answer();

    @Test
    void answersWithTheWholeReport() throws IOException {
        JsonNode json = valid(get());
        assertThat(answer.status).isEqualTo(200);
        assertThat(json.at("/clusters/0/instances")).hasSize(3);
        assertThat(reporter.asked()).isEqualTo(1);
        assertThat(answer.headers)
                .containsEntry("Content-Type", "application/json;charset=utf-8")
                .containsEntry("Content-Length", String.valueOf(answer.bytes.size()))
                .containsEntry("Cache-Control", "private, no-cache")
                .containsEntry("X-Content-Type-Options", "nosniff");
        assertThat(answer.headers.get("ETag")).startsWith("W/\"42-1-");
    }

    @Test
    void headIsTheSameWithoutBody() throws IOException {
        get();
        Map<String, String> ofGet = Map.copyOf(answer.headers);
        assertThat(send("HEAD")).isEmpty();
        assertThat(answer.status).isEqualTo(200);
        assertThat(answer.headers).isEqualTo(ofGet);
    }

    @Test
    void whatIsKnownIsNotSentAgain() throws IOException {
        get();
        String tag = answer.headers.get("ETag");
        for (String known : List.of(tag, tag.substring(2), "\"other\" , " + tag, "*")) {
            sent.headers.put("If-None-Match", known);
            assertThat(get()).as(known).isEmpty();
            assertThat(answer.status).isEqualTo(304);
            assertThat(answer.headers).containsEntry("ETag", tag).containsEntry("Cache-Control", "private, no-cache");
        }
        sent.headers.put("If-None-Match", "\"other\"");
        valid(get());
        assertThat(answer.status).isEqualTo(200);
    }

    @Test
    void anotherRevisionAnotherViewAndAnotherProcessAreSent() throws IOException {
        get();
        sent.headers.put("If-None-Match", answer.headers.get("ETag"));
        reporter.reports(Reports.revised(Reports.settled(3), 2));
        get();
        assertThat(answer.status).isEqualTo(200);
        reporter.reports(Records.with(Reports.settled(3), "view", Optional.empty()));
        get();
        assertThat(answer.status).isEqualTo(200);
        reporter.reports(Reports.settled(3));
        get();
        assertThat(answer.status).isEqualTo(304);
        send("GET", new TopologyDocument(new ReportReader(10)), reporter);
        assertThat(answer.status).isEqualTo(200);
        send("GET", document, new AskedReporter(Reports.settled(3)));
        assertThat(answer.status).isEqualTo(200);
    }

    @Test
    void aViewThatIsNotCurrentAnyMoreIsSentThoughNothingElseHasChanged() throws IOException {
        get();
        sent.headers.put("If-None-Match", answer.headers.get("ETag"));
        View over = Records.with(Reports.settled(3).view().orElseThrow(), "current", false);
        reporter.reports(Records.with(Reports.settled(3), "view", Optional.of(over)));
        assertThat(valid(get()).at("/view/current").asBoolean()).isFalse();
        assertThat(answer.status).isEqualTo(200);
    }

    @Test
    void whatIsIncompleteHasNoTag() throws IOException {
        reporter.historyAnswers(new CompletableFuture<>());
        sent.headers.put("If-None-Match", "*");
        JsonNode json = valid(get());
        assertThat(answer.status).isEqualTo(200);
        assertThat(json.at("/history/problems/0").asText()).contains("incomplete");
        assertThat(answer.headers).doesNotContainKey("ETag").containsEntry("Cache-Control", "no-store");
    }

    @Test
    void aFilterSelectsInstances() throws IOException {
        sent.parameters.put("filter", "(position=2)");
        JsonNode json = valid(get());
        assertThat(json.at("/clusters/0/instances")).hasSize(1);
        assertThat(json.at("/clusters/0/instances/0/id").asText()).isEqualTo(Reports.id(2));
        assertThat(json.at("/selection/filter").asText()).isEqualTo("(position=2)");
    }

    @Test
    void sinceSelectsLaterViews() throws IOException {
        reporter.reports(Reports.hostile("text"));
        for (Map.Entry<String, Integer> each : Map.of("0", 1, "1", 0, "", 1).entrySet()) {
            sent.parameters.put("since", each.getKey());
            assertThat(valid(get()).at("/history/entries")).hasSize(each.getValue());
        }
        assertThat(valid(get()).at("/history/problems")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "-1", "1.5", "9223372036854775808", "<script>"})
    void aBadNumberIsExplained(String since) throws IOException {
        sent.parameters.put("since", since);
        assertBad("since", since);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "<script>", "leader=true"})
    void aBadFilterIsExplained(String filter) throws IOException {
        sent.parameters.put("filter", filter);
        assertBad("filter", filter);
    }

    @Test
    void anUnknownParameterIsExplained() throws IOException {
        sent.parameters.put("filtre", "(leader=true)");
        assertBad("filtre", "(leader=true)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"everything", "Status", "status "})
    void anUnknownPartIsExplained(String only) throws IOException {
        sent.parameters.put("only", only);
        assertBad("only", only);
    }

    @Test
    void theStatusIsSmallAndDoesNotReadTheHistory() throws IOException {
        sent.parameters.put("only", "status");
        JsonNode json = valid(get(), "onlyStatus");
        assertThat(answer.bytes.size()).isLessThan(1_000);
        assertThat(reporter.asked()).isZero();
        assertThat(json.get("state").asText()).isEqualTo("SETTLED");
        assertThat(json.get("current").asBoolean()).isTrue();
        assertThat(json.get("leader").asText()).isEqualTo(Reports.id(1));
        assertThat(json.get("members").asInt()).isEqualTo(3);
        assertThat(json.get("health").asText()).isEqualTo("OK");
        sent.headers.put("If-None-Match", answer.headers.get("ETag"));
        assertThat(get()).isEmpty();
        assertThat(answer.status).isEqualTo(304);
    }

    @Test
    void theStatusHasNothingToSelectFrom() throws IOException {
        sent.parameters.put("only", "status");
        sent.parameters.put("since", "3");
        assertBad("since", "3");
    }

    @Test
    void theDocumentIsCompressedIfTheClientAcceptsIt() throws IOException {
        String plain = get();
        sent.headers.put("Accept-Encoding", "br, gzip");
        get();
        assertThat(answer.headers).containsEntry("Content-Encoding", "gzip").containsEntry("Vary", "Accept-Encoding");
        assertThat(answer.bytes.size()).isLessThan(plain.length());
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(answer.bytes.toByteArray()))) {
            assertThat(in.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo(plain);
        }
    }

    @Test
    void optionsAreTheMethods() throws IOException {
        assertThat(send("OPTIONS")).isEmpty();
        assertThat(answer.status).isEqualTo(204);
        assertThat(answer.headers).containsEntry("Allow", "GET, HEAD, OPTIONS");
    }

    private void assertBad(String parameter, String value) throws IOException {
        String written = get();
        assertThat(written).doesNotContain("<");
        JsonNode error = valid(written, "error").get("error");
        assertThat(answer.status).isEqualTo(400);
        assertThat(error.get("parameter").asText()).isEqualTo(parameter);
        assertThat(error.get("value").asText()).isEqualTo(value);
        assertThat(error.get("message").asText())
                .contains(parameter, error.get("example").asText());
        assertThat(answer.headers).doesNotContainKey("ETag").containsEntry("Cache-Control", "no-store");
    }

    @Test
    void saysThatTheServiceIsAbsent() throws IOException {
        JsonNode json = valid(send("GET", document, null), "error");
        assertThat(answer.status).isEqualTo(503);
        assertThat(json.at("/error/message").asText()).isEqualTo("The discovery service is not active.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "get"})
    void canOnlyBeRead(String method) throws IOException {
        valid(send(method), "error");
        assertThat(answer.status).isEqualTo(405);
        assertThat(answer.headers).containsEntry("Allow", "GET, HEAD, OPTIONS");
    }

    private String get() throws IOException {
        return send("GET");
    }

    private String send(String method) throws IOException {
        return send(method, document, reporter);
    }

    private String send(String method, TopologyDocument asked, AskedReporter answering) throws IOException {
        answer = answer();
        asked.answer(sent.request(method, null), answer, answering);
        return answer.bytes.toString(StandardCharsets.UTF_8);
    }

    /** Returns an answer whose status is not set, so that the document must set it. */
    private static Answer answer() {
        Answer answer = new Answer();
        answer.status = 0;
        return answer;
    }
}
