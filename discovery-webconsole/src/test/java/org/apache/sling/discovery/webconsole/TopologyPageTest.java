// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.commons.report.Operator;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.webconsole.testing.Answer;
import org.apache.sling.discovery.webconsole.testing.AskedReporter;
import org.apache.sling.discovery.webconsole.testing.Bound;
import org.apache.sling.discovery.webconsole.testing.Reports;
import org.apache.sling.discovery.webconsole.testing.Sent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyPageTest {
    private final TopologyPage page = new TopologyPage();
    private final Sent sent = new Sent();
    private final Answer answer = new Answer();
    private final AskedReporter reporter = new AskedReporter(Reports.settled(3));
    private final List<String> done = new ArrayList<>();
    private boolean success = true;

    @BeforeEach
    void comeFromAPageOfTheConsole() {
        sent.user = "admin";
        sent.headers.put("Host", "127.0.0.1:8080");
        page.bindReporter(reporter);
    }

    @Test
    void theLabelAloneIsTheOverview() throws Exception {
        get("/topology", null);
        assertThat(answer.status).isEqualTo(200);
        assertThat(answer.text.toString()).contains("3 instances", "/console/topology/" + Reports.id(1));
        assertThat(answer.headers)
                .containsEntry("Cache-Control", "no-store")
                .containsEntry("X-Content-Type-Options", "nosniff");
    }

    @Test
    void anIdAfterTheLabelIsThePageOfThatInstance() throws Exception {
        get("/topology/" + Reports.id(3), null);
        assertThat(answer.status).isEqualTo(200);
        assertThat(answer.text.toString()).contains("Properties", "node 3").doesNotContain("node 1");
    }

    @Test
    void anIdThatCannotStandInAPathMayStandInTheQuery() throws Exception {
        reporter.reports(Reports.hostile("a/b.c"));
        get("/topology", "a/b.c");
        assertThat(answer.status).isEqualTo(200);
        assertThat(answer.text.toString()).contains("Instance <bdi>a/b.c</bdi>");
    }

    @Test
    void aDotInThePathIsSentToWhereTheConsoleKeepsItsFrame() throws Exception {
        reporter.reports(Reports.hostile("host.example"));
        get("/topology/host.example", null);
        assertThat(answer.headers).containsEntry("Location", "/console/topology?instance=host%2Eexample");
    }

    @Test
    void anUnknownInstanceIsNotFound() throws Exception {
        get("/topology/nobody", null);
        assertThat(answer.status).isEqualTo(404);
        assertThat(answer.text.toString()).contains("No instance <bdi>nobody</bdi> in the view");
    }

    @Test
    void withoutTheServiceThePageSaysSo() throws Exception {
        page.unbindReporter(reporter);
        get("/topology", null);
        assertThat(answer.status).isEqualTo(200);
        assertThat(answer.text.toString()).contains("The discovery service is not active");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "TRACE", "get"})
    void otherMethodsAreNotAllowed(String method) throws Exception {
        send(method, "/topology", null);
        assertThat(answer.status).isEqualTo(405);
        assertThat(answer.headers).containsEntry("Allow", "GET, HEAD, POST, OPTIONS");
        assertThat(answer.text.toString()).isEmpty();
    }

    @Test
    void theHistoryIsReadAndShown() throws Exception {
        reporter.reports(Reports.withHistory(3, 8));
        sent.parameters.put("show", "history");
        get("/topology", null);
        assertThat(answer.status).isEqualTo(200);
        assertThat(answer.text.toString()).contains("dz-timeline", "8 of 8 views");
    }

    @Test
    void theTreeIsReadAndShown() throws Exception {
        sent.parameters.put("show", "tree");
        get("/topology", null);
        assertThat(answer.text.toString()).contains("Nodes of the store", "7 nodes");
    }

    @Test
    void aTreeThatCannotBeReadIsExplained() throws Exception {
        reporter.treeAnswers(CompletableFuture.failedFuture(new IOException("there is no connection")));
        sent.parameters.put("show", "tree");
        get("/topology", null);
        assertThat(answer.status).isEqualTo(200);
        assertThat(answer.text.toString()).contains("The store cannot be read now: there is no connection");
    }

    @Test
    void aHistoryThatCannotBeReadInTimeIsLeftAsItIs() throws Exception {
        reporter.reports(Reports.withHistory(3, 8));
        reporter.historyAnswers(new CompletableFuture<>());
        sent.parameters.put("show", "history");
        get("/topology", null);
        assertThat(answer.text.toString()).contains("8 of 8 views", "The history may be incomplete");
    }

    @Test
    void aFormOfAPageIsCarriedOutAndItsResultShown() throws Exception {
        bindOperator();
        get("/topology", null);
        post(Map.of("action", "standdown", "token", token(), "instance", Reports.id(2)));
        assertThat(done).containsExactly("stand down");
        assertThat(answer.status).isEqualTo(303);
        String location = answer.headers.get("Location");
        assertThat(location).startsWith("/console/topology?instance=" + Reports.id(2) + "&result=");
        answer.text.getBuffer().setLength(0);
        sent.parameters.put("result", location.substring(location.lastIndexOf('=') + 1));
        get("/topology", null);
        assertThat(answer.text.toString()).contains("<p id=\"dz-notice\"", "It stands down.");
    }

    @Test
    void anotherInstanceIsEvicted() throws Exception {
        bindOperator();
        get("/topology", null);
        post(Map.of("action", "evict", "token", token(), "target", "m-1"));
        assertThat(done).containsExactly("evict m-1");
        assertThat(answer.headers.get("Location")).startsWith("/console/topology?result=");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "wrong", "tooshort"})
    void withoutTheTokenNothingIsDone(String token) throws Exception {
        bindOperator();
        post(Map.of("action", "standdown", "token", token));
        assertThat(answer.status).isEqualTo(403);
        assertThat(answer.text.toString()).contains("Nothing was done");
        post(Map.of("action", "standdown"));
        assertThat(answer.status).isEqualTo(403);
        assertThat(done).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "Sec-Fetch-Site, cross-site",
        "Sec-Fetch-Site, same-site",
        "Sec-Fetch-Site, none",
        "Origin, http://evil.example",
        "Origin, http://127.0.0.1:8081",
        "Origin, nonsense"
    })
    void aRequestFromAnotherSiteDoesNothing(String header, String value) throws Exception {
        sent.headers.put(header, value);
        standDown();
        assertThat(answer.status).isEqualTo(403);
        assertThat(answer.text.toString()).contains("from a page of another site");
        assertThat(done).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"Sec-Fetch-Site, same-origin", "Origin, http://127.0.0.1:8080", "Origin, null"})
    void aRequestFromThisSiteIsCarriedOut(String header, String value) throws Exception {
        sent.headers.put(header, value);
        standDown();
        assertThat(done).containsExactly("stand down");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            X-Forwarded-Host | public.example            | 303
            X-Forwarded-Host | public.example, inner     | 303
            Forwarded        | for=1.2.3.4;host="public.example";proto=http | 303
            Forwarded        | host=public.example       | 303
            X-Forwarded-Host | evil.example              | 403
            X-Forwarded-Host | inner, public.example     | 403
            Forwarded        | by=public.example         | 403
            """)
    void aProxyTellsTheHostThatTheBrowserAskedFor(String header, String value, int status) throws Exception {
        sent.headers.put("Origin", "http://public.example");
        sent.headers.put(header, value);
        standDown();
        assertThat(answer.status).isEqualTo(status);
        assertThat(done).hasSize(status == 303 ? 1 : 0);
    }

    @ParameterizedTest
    @CsvSource({"20001, 413", "99999999999999999999, 413", "'', 411", "-1, 411"})
    void aFormThatIsTooLongIsNotRead(String length, int status) throws Exception {
        sent.headers.put("Content-Length", length);
        standDown();
        assertThat(answer.status).isEqualTo(status);
        assertThat(done).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "history, view, abc",
        "history, view, -1",
        "history, count, 0",
        "history, count, 501",
        "nothing, show, nothing",
        "history, kind, left"
    })
    void aWrongParameterIsExplained(String show, String parameter, String value) throws Exception {
        reporter.reports(Reports.withHistory(3, 8));
        sent.parameters.put("show", show);
        sent.parameters.put(parameter, value);
        get("/topology", null);
        assertThat(answer.status).isEqualTo(400);
        assertThat(answer.text.toString())
                .contains("data-page=\"invalid\"", "The parameter " + parameter + " is invalid: ", "A valid example: ");
    }

    @Test
    void headHasNoContent() throws Exception {
        send("HEAD", "/topology", "nobody");
        assertThat(answer.status).isEqualTo(404);
        assertThat(answer.headers).containsEntry("Content-Type", "text/html;charset=utf-8");
        assertThat(answer.text.toString()).isEmpty();
    }

    @Test
    void optionsAreTheMethods() throws Exception {
        for (String path : List.of("/topology", "/topology/res/topology.js", "/topology.content")) {
            send("OPTIONS", path, null);
            assertThat(answer.status).isEqualTo(204);
            assertThat(answer.headers.get("Allow")).startsWith("GET, HEAD, ").endsWith("OPTIONS");
        }
    }

    @Test
    void aResourceHasAStrongTagForEachForm() throws Exception {
        get("/topology/res/topology.js", null);
        String tag = answer.headers.get("ETag");
        assertThat(tag).matches("\"[0-9a-f]{32}\"");
        assertThat(answer.bytes.toString(StandardCharsets.UTF_8)).contains("If-None-Match");
        sent.headers.put("Accept-Encoding", "gzip");
        sent.headers.put("If-None-Match", tag);
        get("/topology/res/topology.js", null);
        assertThat(answer.status).as("the other form").isEqualTo(200);
        assertThat(answer.headers.get("ETag")).isEqualTo(tag.replaceAll("\"$", "-gzip\""));
        sent.headers.put("If-None-Match", answer.headers.get("ETag"));
        get("/topology/res/topology.js", null);
        assertThat(answer.status).isEqualTo(304);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nothing.js", "../TopologyPage.class", "lib/../topology.js", "", ".js", "lib"})
    void nothingElseIsAResource(String name) throws Exception {
        get("/topology/res/" + name, null);
        assertThat(answer.status).isEqualTo(404);
        assertThat(answer.bytes.size()).isZero();
    }

    @Test
    void theContentIsThePageWithoutItsFrame() throws Exception {
        bindOperator();
        get("/topology", null);
        String page = answer.text.toString();
        String content = content();
        assertThat(content).startsWith("<div id=\"discovery-topology\"").doesNotContain("<script");
        assertThat(page.replaceAll("name=\"token\" value=\"[^\"]*\"", ""))
                .contains(content.strip().replaceAll("name=\"token\" value=\"[^\"]*\"", ""));
        assertThat(answer.headers)
                .containsEntry("Topology-Now", String.valueOf(Reports.settled(3).generatedMillis()))
                .containsEntry("Cache-Control", "no-store");
        sent.headers.put("If-None-Match", answer.headers.get("ETag"));
        assertThat(content()).isEmpty();
        assertThat(answer.status).isEqualTo(304);
    }

    @Test
    void aContentHasTheTokenOfItsUser() throws Exception {
        bindOperator();
        String first = content();
        sent.user = "somebody else";
        post(Map.of(
                "action", "standdown", "token", first.replaceAll("(?s).*name=\"token\" value=\"([^\"]*)\".*", "$1")));
        assertThat(answer.status).isEqualTo(403);
    }

    @Test
    void aContentIsSentAgainOnlyWhenTheReportHasChanged() throws Exception {
        content();
        for (TopologyReport next : List.of(
                Reports.revised(Reports.settled(3), 77),
                Reports.revised(Reports.in(TopologyReport.State.CHANGING, "Waiting for b."), 77))) {
            sent.headers.put("If-None-Match", answer.headers.get("ETag"));
            assertThat(content()).isEmpty();
            assertThat(answer.status).isEqualTo(304);
            reporter.reports(next);
            assertThat(content()).isNotEmpty();
            assertThat(answer.status).isEqualTo(200);
        }
        sent.headers.put("If-None-Match", answer.headers.get("ETag"));
        bindOperator();
        assertThat(content()).as("with forms").contains("name=\"token\"");
    }

    @Test
    void aContentWithoutItsHistoryHasNoTag() throws Exception {
        reporter.historyAnswers(new CompletableFuture<>());
        sent.parameters.put("show", "history");
        assertThat(content()).contains("The history may be incomplete");
        assertThat(answer.headers).doesNotContainKey("ETag");
    }

    @Test
    void aContentThatWouldReadTheStoreIsRefused() throws Exception {
        sent.parameters.put("show", "tree");
        assertThat(content()).isEmpty();
        assertThat(answer.status).isEqualTo(404);
    }

    private String content() throws IOException {
        answer.bytes.reset();
        send("GET", "/topology.content", null);
        return answer.bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theTokenOfAnotherUserIsNotAccepted() throws Exception {
        bindOperator();
        get("/topology", null);
        String token = token();
        sent.user = "somebody else";
        post(Map.of("action", "standdown", "token", token));
        assertThat(answer.status).isEqualTo(403);
        assertThat(done).isEmpty();
    }

    @Test
    void anActionThatDoesNothingIsAConflict() throws Exception {
        success = false;
        bindOperator();
        get("/topology", null);
        String token = token();
        post(Map.of("action", "standdown", "token", token));
        assertThat(answer.status).isEqualTo(409);
        assertThat(answer.text.toString()).contains("Nothing was done: It stands down.");
        post(Map.of("action", "evict", "target", "b", "token", token));
        assertThat(answer.status).isEqualTo(409);
        assertThat(answer.headers).doesNotContainKey("Location");
    }

    @Test
    void thereAreNoOtherActions() throws Exception {
        bindOperator();
        get("/topology", null);
        String token = token();
        post(Map.of("action", "explode", "token", token));
        assertThat(answer.status).isEqualTo(400);
        post(Map.of("action", "evict", "token", token));
        assertThat(answer.status).isEqualTo(400);
        assertThat(done).isEmpty();
    }

    @Test
    void readingChangesNothing() throws Exception {
        bindOperator();
        get("/topology", null);
        sent.parameters.putAll(Map.of("action", "standdown", "token", token()));
        get("/topology", null);
        assertThat(done).isEmpty();
    }

    /** Sends the form of a page. */
    private void standDown() throws Exception {
        bindOperator();
        get("/topology", null);
        post(Map.of("action", "standdown", "token", token()));
    }

    private String token() {
        String text = answer.text.toString();
        int begin = text.indexOf("name=\"token\" value=\"") + 20;
        return text.substring(begin, text.indexOf('"', begin));
    }

    private void post(Map<String, String> form) throws IOException {
        sent.parameters.clear();
        sent.parameters.putAll(form);
        answer.text.getBuffer().setLength(0);
        sent.headers.putIfAbsent("Content-Length", "100");
        page.answer(sent.request("POST", "/topology"), answer);
        sent.parameters.clear();
    }

    private void get(String path, String instance) throws IOException {
        send("GET", path, instance);
    }

    private void send(String method, String path, String instance) throws IOException {
        if (instance != null) {
            sent.parameters.put("instance", instance);
        }
        page.answer(sent.request(method, path), answer);
    }

    private void bindOperator() throws ReflectiveOperationException {
        Bound.in(page, "operator", new Operator() {
            @Override
            public Result standDown() {
                done.add("stand down");
                return new Result(success, "It stands down.");
            }

            @Override
            public Result evict(String instanceIdOrNode) {
                done.add("evict " + instanceIdOrNode);
                return new Result(success, "It is evicted.");
            }
        });
    }
}
