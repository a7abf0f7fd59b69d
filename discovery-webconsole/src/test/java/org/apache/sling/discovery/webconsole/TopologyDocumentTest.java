// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import static org.apache.sling.discovery.webconsole.PublishedSchema.valid;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.commons.report.History;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyDocumentTest {
    private final TopologyDocument document = new TopologyDocument(new Reading(10));
    private final AskedReporter reporter = new AskedReporter(Reports.settled(3));
    private final Map<String, String> given = new HashMap<>();
    private final Map<String, String> headers = new HashMap<>();
    private ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status;

    @Test
    void answersWithTheWholeReport() throws IOException {
        JsonNode json = valid(get());
        assertThat(status).isEqualTo(200);
        assertThat(json.at("/clusters/0/instances")).hasSize(3);
        assertThat(reporter.asked()).isEqualTo(1);
        assertThat(headers)
                .containsEntry("Content-Type", "application/json;charset=utf-8")
                .containsEntry("Content-Length", String.valueOf(body.size()))
                .containsEntry("Cache-Control", "private, no-cache")
                .containsEntry("X-Content-Type-Options", "nosniff");
        assertThat(headers.get("ETag")).startsWith("W/\"42-1-");
    }

    @Test
    void headIsTheSameWithoutBody() throws IOException {
        get();
        Map<String, String> ofGet = Map.copyOf(headers);
        assertThat(send("HEAD")).isEmpty();
        assertThat(status).isEqualTo(200);
        assertThat(headers).isEqualTo(ofGet);
    }

    @Test
    void whatIsKnownIsNotSentAgain() throws IOException {
        get();
        String tag = headers.get("ETag");
        for (String known : List.of(tag, tag.substring(2), "\"other\" , " + tag, "*")) {
            given.put("If-None-Match", known);
            assertThat(get()).as(known).isEmpty();
            assertThat(status).isEqualTo(304);
            assertThat(headers).containsEntry("ETag", tag).containsEntry("Cache-Control", "private, no-cache");
        }
        given.put("If-None-Match", "\"other\"");
        valid(get());
        assertThat(status).isEqualTo(200);
    }

    @Test
    void anotherRevisionAnotherViewAndAnotherProcessAreSent() throws IOException {
        get();
        given.put("If-None-Match", headers.get("ETag"));
        reporter.reports(revised(Reports.settled(3), 2, Reports.settled(3).view()));
        get();
        assertThat(status).isEqualTo(200);
        reporter.reports(revised(Reports.settled(3), 1, Optional.empty()));
        get();
        assertThat(status).isEqualTo(200);
        reporter.reports(Reports.settled(3));
        get();
        assertThat(status).isEqualTo(304);
        send("GET", new TopologyDocument(new Reading(10)), reporter);
        assertThat(status).isEqualTo(200);
        send("GET", document, new AskedReporter(Reports.settled(3)));
        assertThat(status).isEqualTo(200);
    }

    @Test
    void whatIsIncompleteHasNoTag() throws IOException {
        reporter.historyAnswers(new CompletableFuture<>());
        given.put("If-None-Match", "*");
        JsonNode json = valid(get());
        assertThat(status).isEqualTo(200);
        assertThat(json.at("/history/problems/0").asText()).contains("incomplete");
        assertThat(headers).doesNotContainKey("ETag").containsEntry("Cache-Control", "no-store");
    }

    @Test
    void aFilterSelectsInstances() throws IOException {
        given.put("filter", "(name=node 2)");
        JsonNode json = valid(get());
        assertThat(json.at("/clusters/0/instances")).hasSize(1);
        assertThat(json.at("/clusters/0/instances/0/id").asText()).isEqualTo(Reports.id(2));
        assertThat(json.at("/selection/filter").asText()).isEqualTo("(name=node 2)");
    }

    @Test
    void sinceSelectsLaterViews() throws IOException {
        reporter.reports(Reports.hostile("text"));
        for (Map.Entry<String, Integer> each : Map.of("0", 1, "1", 0, "", 1).entrySet()) {
            given.put("since", each.getKey());
            assertThat(valid(get()).at("/history/entries")).hasSize(each.getValue());
        }
        assertThat(valid(get()).at("/history/problems")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "-1", "1.5", "9223372036854775808", "<script>"})
    void aBadNumberIsExplained(String since) throws IOException {
        given.put("since", since);
        assertBad("since", since);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "<script>", "leader=true"})
    void aBadFilterIsExplained(String filter) throws IOException {
        given.put("filter", filter);
        assertBad("filter", filter);
    }

    private void assertBad(String parameter, String value) throws IOException {
        String written = get();
        assertThat(written).doesNotContain("<");
        JsonNode error = valid(written, "error").get("error");
        assertThat(status).isEqualTo(400);
        assertThat(error.get("parameter").asText()).isEqualTo(parameter);
        assertThat(error.get("value").asText()).isEqualTo(value);
        assertThat(error.get("message").asText())
                .contains(parameter, error.get("example").asText());
        assertThat(headers).doesNotContainKey("ETag").containsEntry("Cache-Control", "no-store");
    }

    @Test
    void saysThatTheServiceIsAbsent() throws IOException {
        JsonNode json = valid(send("GET", document, null), "error");
        assertThat(status).isEqualTo(503);
        assertThat(json.at("/error/message").asText()).isEqualTo("The discovery service is not active.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "get"})
    void canOnlyBeRead(String method) throws IOException {
        valid(send(method), "error");
        assertThat(status).isEqualTo(405);
        assertThat(headers).containsEntry("Allow", "GET, HEAD");
    }

    @Test
    void isAskedForBelowTheConsole() {
        for (String other : List.of("/topology", "/topology/", "/topology.json/x", "/topology/topology.json")) {
            given.put("path", other);
            assertThat(TopologyDocument.isAskedBy(request("GET"))).isFalse();
        }
        given.put("path", "/topology.json");
        assertThat(TopologyDocument.isAskedBy(request("GET"))).isTrue();
    }

    private String get() throws IOException {
        return send("GET");
    }

    private String send(String method) throws IOException {
        return send(method, document, reporter);
    }

    private String send(String method, TopologyDocument asked, AskedReporter answering) throws IOException {
        headers.clear();
        body = new ByteArrayOutputStream();
        asked.answer(request(method), response(), answering);
        return body.toString(StandardCharsets.UTF_8);
    }

    private static TopologyReport revised(TopologyReport report, long revision, Optional<TopologyReport.View> view) {
        return new TopologyReport(
                report.generatedMillis(),
                revision,
                report.status(),
                report.localInstanceId(),
                report.address(),
                report.connection(),
                view,
                report.clusters(),
                report.outsiders(),
                report.listeners(),
                report.recent(),
                History.UNREAD,
                report.problems());
    }

    private HttpServletRequest request(String method) {
        return proxy(HttpServletRequest.class, (name, arguments) -> switch (name) {
            case "getMethod" -> method;
            case "getPathInfo" -> given.get("path");
            case "getParameter", "getHeader" -> given.get((String) arguments[0]);
            default -> throw new UnsupportedOperationException(name);
        });
    }

    private HttpServletResponse response() {
        return proxy(HttpServletResponse.class, (name, arguments) -> {
            switch (name) {
                case "setStatus" -> status = (Integer) arguments[0];
                case "setHeader" -> headers.put((String) arguments[0], (String) arguments[1]);
                case "setContentType" -> headers.put("Content-Type", (String) arguments[0]);
                case "setContentLength" -> headers.put("Content-Length", arguments[0].toString());
                case "getOutputStream" -> {
                    return new Body(body);
                }
                default -> throw new UnsupportedOperationException(name);
            }
            return null;
        });
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> call.answer(method.getName(), arguments)));
    }

    private interface Call {
        Object answer(String name, Object[] arguments);
    }

    private static final class Body extends ServletOutputStream {
        private final ByteArrayOutputStream bytes;

        Body(ByteArrayOutputStream bytes) {
            this.bytes = bytes;
        }

        @Override
        public void write(int b) {
            bytes.write(b);
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new UnsupportedOperationException();
        }
    }
}
