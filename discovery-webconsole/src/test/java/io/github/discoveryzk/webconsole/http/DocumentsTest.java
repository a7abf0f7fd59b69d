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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
        assertThat(valid(written, "error").at("/error/message").asText()).contains("no parameters");
        assertThat(reply.headers()).doesNotContainKey("ETag").containsEntry("Cache-Control", "no-store");
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
