// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.http;

import static io.github.discoveryzk.webconsole.testing.PublishedSchema.valid;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.report.TopologyReport.View;
import io.github.discoveryzk.webconsole.query.ReportReader;
import io.github.discoveryzk.webconsole.testing.AskedReporter;
import io.github.discoveryzk.webconsole.testing.Records;
import io.github.discoveryzk.webconsole.testing.Reports;
import io.github.discoveryzk.webconsole.testing.Sent;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The JSON document. */
class DocumentsTest {
    private final Router router = new Router(new ReportReader(10), List::of);
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

    @Test
    void headIsTheSameWithoutContent() {
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
        assertThat(send("GET", new Router(List::of), reporter)).isNotEmpty();
        assertThat(send("GET", router, new AskedReporter(Reports.settled(3)))).isNotEmpty();
    }

    @Test
    void whatIsIncompleteHasAnotherTag() {
        get();
        reporter.historyAnswers(new CompletableFuture<>());
        sent.headers.put("If-None-Match", reply.headers().get("ETag"));
        assertThat(valid(get()).at("/history/problems/0").asText()).contains("incomplete");
        assertThat(reply.status()).isEqualTo(200);
    }

    @Test
    void parametersAreRefused() {
        sent.parameters.put("filter", "<script>");
        String written = get();
        assertThat(written).doesNotContain("<");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(valid(written, "error").at("/error/message").asText()).contains("only parameter");
        assertThat(reply.headers()).doesNotContainKey("ETag").containsEntry("Cache-Control", "no-store");
    }

    @Test
    void isCompressedIfTheClientWantsThat() throws Exception {
        String whole = get();
        int length = reply.content().length;
        sent.headers.put("Accept-Encoding", "br, gzip");
        get();
        assertThat(reply.headers())
                .containsEntry("Content-Encoding", "gzip")
                .containsEntry("Vary", "Accept-Encoding")
                .containsEntry("Content-Length", String.valueOf(reply.content().length));
        assertThat(reply.content().length).isLessThan(length / 2);
        try (InputStream content = new GZIPInputStream(new ByteArrayInputStream(reply.content()))) {
            assertThat(new String(content.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(whole);
        }
    }

    @Test
    void aRequestMayDoWithoutTheHistory() {
        assertThat(valid(get()).at("/episodes")).isNotNull();
        int asked = reporter.asked();
        sent.parameters.put("history", "no");
        assertThat(valid(get()).at("/history/problems/0").asText()).contains("does not want");
        assertThat(reporter.asked()).isEqualTo(asked);
    }

    /** Pages of other members ask what this instance says itself; the browser keeps the answer from all other pages. */
    @Test
    void onlyPagesOfMembersOfAnotherOriginMayReadIt() {
        reporter.reports(Reports.alone(Map.of("org.apache.sling.instance.endpoints", "http://one.example:8080/")));
        for (String other :
                List.of("http://one.example:80", "http://one.example", "https://one.example:8080", "null")) {
            sent.headers.put("Origin", other);
            valid(get());
            assertThat(reply.headers()).as(other).doesNotContainKey("Access-Control-Allow-Origin");
        }
        sent.headers.put("Origin", "http://one.example:8080");
        valid(get());
        assertThat(reply.headers())
                .containsEntry("Access-Control-Allow-Origin", "http://one.example:8080")
                .containsEntry("Access-Control-Allow-Credentials", "true")
                .containsEntry("Vary", "Origin");
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
