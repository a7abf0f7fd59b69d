// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.report.Operator;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.webconsole.testing.Acting;
import io.github.discoveryzk.webconsole.testing.AskedReporter;
import io.github.discoveryzk.webconsole.testing.Reports;
import io.github.discoveryzk.webconsole.testing.Sent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages, contents, resources and actions. */
class RouterTest {
    private final List<AddedSection> added = new ArrayList<>();
    private final Router router = new Router(() -> added);
    private final Sent sent = new Sent();
    private final AskedReporter reporter = new AskedReporter(Reports.settled(3));
    private final Acting acting = new Acting();
    private Operator operator;
    private Reply reply;

    @ParameterizedTest
    @CsvSource({
        "/topology, 200, /console/topology/a3f0c1d2-0000-4000-8000-000000000001",
        "/topology/a3f0c1d2-0000-4000-8000-000000000003, 200, node 3",
        "/topology/a3f0c1d2-0000-4000-8000-000000000003/, 200, node 3",
        "/topology/nobody, 404, No instance <bdi>nobody</bdi> in the view",
        "/topology.html, 404, There is nothing at this address",
    })
    void thePathChoosesThePage(String path, int status, String content) {
        assertThat(get(path)).contains(content);
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.headers())
                .containsEntry("Cache-Control", "no-store")
                .containsEntry("Content-Security-Policy", "frame-ancestors 'self'")
                .containsEntry("X-Content-Type-Options", "nosniff");
    }

    @ParameterizedTest
    @CsvSource({
        "show, history, dz-timeline",
        "show, history, 8 of 8 views",
        "show, tree, Nodes of the store",
        "show, tree, 7 nodes",
        "instance, a/b.c, No instance <bdi>a/b.c</bdi> in the view",
    })
    void aParameterChoosesThePage(String name, String value, String content) {
        reporter.reports(Reports.withHistory(3, 8));
        sent.parameters.put(name, value);
        assertThat(get("/topology")).contains(content);
    }

    @Test
    void aDotInThePathIsSentToWhereTheConsoleKeepsItsFrame() {
        get("/topology/host.example");
        assertThat(reply.headers()).containsEntry("Location", "/console/topology?instance=host.example");
    }

    @Test
    void sectionsOfOtherBundlesHaveTabs() {
        added.add(() -> {
            throw new IllegalStateException("broken");
        });
        added.add(() -> new AddedSection.Content(
                "Servers", List.of("One <leads>."), List.of("Server", "State"), List.of(List.of("1", "<b>leader"))));
        assertThat(get("/topology")).contains(">A section of another bundle</a>", "?show=servers\">Servers</a>");
        sent.parameters.put("show", "a-section-of-another-bundle");
        assertThat(get("/topology")).contains("It cannot be shown: java.lang.IllegalStateException: broken");
        sent.parameters.put("show", "servers");
        assertThat(get("/topology"))
                .contains("aria-current=\"page\">Servers</a>", "One &lt;leads&gt;.", "&lt;b&gt;leader");
        added.clear();
        assertThat(get("/topology")).contains("dz-banner").doesNotContain("Servers");
    }

    @Test
    void aSectionOfAnotherBundleIsPartOfTheDocument() {
        added.add(
                () -> new AddedSection.Content("Shared data", List.of(), List.of("Name"), List.of(List.of("row 29"))));
        assertThat(get("/topology.json")).contains("row 29");
        String tag = reply.headers().get("ETag");
        added.clear();
        get("/topology.json");
        assertThat(reply.headers().get("ETag")).isNotEqualTo(tag);
    }

    @Test
    void withoutTheServiceThePageSaysSo() {
        assertThat(Sent.text(send("GET", "/topology", null))).contains("The discovery service is not active");
        assertThat(reply.status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "TRACE", "get"})
    void otherMethodsAreNotAllowed(String method) {
        send(method, "/topology", reporter);
        assertThat(reply.status()).isEqualTo(405);
        assertThat(reply.headers()).containsEntry("Allow", "GET, HEAD, POST, OPTIONS");
        assertThat(reply.framed()).isFalse();
    }

    @Test
    void aTreeThatCannotBeReadIsExplained() {
        reporter.treeAnswers(CompletableFuture.failedFuture(new IOException("there is no connection")));
        sent.parameters.put("show", "tree");
        assertThat(get("/topology")).contains("The store cannot be read now: there is no connection");
        assertThat(reply.status()).isEqualTo(200);
    }

    @Test
    void aHistoryThatCannotBeReadInTimeIsLeftAsItIs() {
        reporter.reports(Reports.withHistory(3, 8));
        reporter.historyAnswers(new CompletableFuture<>());
        sent.parameters.put("show", "history");
        assertThat(get("/topology")).contains("8 of 8 views", "The history may be incomplete");
        assertThat(content()).contains("The history may be incomplete");
    }

    @ParameterizedTest
    @CsvSource({
        "history, view, abc, 8 of 8 views",
        "history, count, 0, 1 of 8 views",
        "history, count, 99999999999999999999, 8 of 8 views",
        "nothing, kind, left, dz-picture",
    })
    void aWrongParameterIsIgnored(String show, String parameter, String value, String content) {
        reporter.reports(Reports.withHistory(3, 8));
        sent.parameters.put("show", show);
        sent.parameters.put(parameter, value);
        assertThat(get("/topology")).contains(content);
        assertThat(reply.status()).isEqualTo(200);
    }

    @Test
    void headHasNoContent() {
        send("HEAD", "/topology/nobody", reporter);
        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.headers()).containsEntry("Content-Type", "text/html;charset=utf-8");
        assertThat(reply.content()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/topology", "/topology/res/topology.js", "/topology.content"})
    void optionsAreTheMethods(String path) {
        send("OPTIONS", path, reporter);
        assertThat(reply.status()).isEqualTo(204);
        assertThat(reply.headers().get("Allow")).startsWith("GET, HEAD, ").endsWith("OPTIONS");
    }

    @Test
    void aResourceIsSentUnlessItIsKnown() {
        assertThat(get("/topology/res/topology.js")).contains("If-None-Match");
        assertThat(reply.headers())
                .containsEntry("Content-Type", "text/javascript;charset=utf-8")
                .containsEntry("Cache-Control", "private, no-cache");
        sent.headers.put("If-None-Match", reply.headers().get("ETag"));
        assertThat(get("/topology/res/topology.js")).isEmpty();
        assertThat(reply.status()).isEqualTo(304);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nothing.js", "../Router.class", "lib/../topology.js", "", ".js", "lib"})
    void nothingElseIsAResource(String name) {
        get("/topology/res/" + name);
        assertThat(reply.status()).isEqualTo(404);
    }

    @Test
    void theContentIsThePageWithoutItsFrame() {
        operator = acting;
        String token = "name=\"token\" value=\"[^\"]*\"";
        String page = get("/topology/" + Reports.id(2)).replaceAll(token, "");
        assertThat(reply.framed()).isTrue();
        sent.parameters.put("instance", Reports.id(2));
        assertThat(content()).startsWith("<div id=\"discovery-topology\"").doesNotContain("<script");
        assertThat(page).contains(Sent.text(reply).strip().replaceAll(token, ""));
        assertThat(reply.framed()).isFalse();
        assertThat(reply.headers())
                .containsEntry("Topology-Now", String.valueOf(Reports.settled(3).generatedMillis()))
                .containsEntry("Cache-Control", "no-store");
    }

    @Test
    void aContentIsSentAgainOnlyWhenTheReportHasChanged() {
        content();
        for (TopologyReport next : List.of(
                Reports.revised(Reports.settled(3), 77),
                Reports.revised(Reports.in(State.CHANGING, "Waiting for b."), 77))) {
            sent.headers.put("If-None-Match", reply.headers().get("ETag"));
            assertThat(content()).isEmpty();
            assertThat(reply.status()).isEqualTo(304);
            assertThat(reply.headers()).containsKey("Topology-Now");
            reporter.reports(next);
            assertThat(content()).isNotEmpty();
            assertThat(reply.status()).isEqualTo(200);
        }
        sent.headers.put("If-None-Match", reply.headers().get("ETag"));
        operator = acting;
        sent.parameters.put("instance", Reports.id(2));
        assertThat(content()).as("with forms").contains("name=\"token\"");
    }

    /** The plan of a restart follows from the history. */
    @Test
    void theFirstScreenHasTheHistoryReadBefore() {
        int asked = reporter.asked();
        send("GET", "/topology", reporter);
        content();
        assertThat(reporter.asked()).isEqualTo(asked + 2);
    }

    @Test
    void aContentThatWouldReadTheStoreIsRefused() {
        sent.parameters.put("show", "tree");
        content();
        assertThat(reply.status()).isEqualTo(404);
    }

    @Test
    void aFormOfAPageIsCarriedOutAndItsResultShown() {
        post(Map.of("action", "stepdown", "token", token(), "instance", Reports.id(2)));
        assertThat(acting.done).containsExactly("step down");
        assertThat(reply.status()).isEqualTo(303);
        String location = reply.headers().get("Location");
        assertThat(location).startsWith("/console/topology?instance=" + Reports.id(2) + "&result=");
        sent.parameters.put("result", location.substring(location.lastIndexOf('=') + 1));
        assertThat(get("/topology")).contains("<p id=\"dz-notice\"", "It steps down.");
    }

    @Test
    void anotherInstanceIsEvicted() {
        post(Map.of("action", "evict", "token", token(), "target", "m-1"));
        assertThat(acting.done).containsExactly("evict m-1");
        assertThat(reply.headers().get("Location")).startsWith("/console/topology?result=");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "wrong", "tooshort"})
    void withoutTheTokenNothingIsDone(String token) {
        operator = acting;
        assertRefused(403, Map.of("action", "stepdown", "token", token));
        assertRefused(403, Map.of("action", "stepdown"));
    }

    @Test
    void theTokenOfAnotherUserIsNotAccepted() {
        String token = token();
        sent.user = "another";
        assertRefused(403, Map.of("action", "stepdown", "token", token));
    }

    @ParameterizedTest
    @CsvSource({"cross-site, 403", "same-site, 403", "none, 403", "same-origin, 303"})
    void onlyAFormOfThisSiteIsCarriedOut(String site, int status) {
        sent.headers.put("Sec-Fetch-Site", site);
        post(Map.of("action", "stepdown", "token", token()));
        assertThat(reply.status()).isEqualTo(status);
        assertThat(acting.done).hasSize(status == 303 ? 1 : 0);
    }

    @ParameterizedTest
    @CsvSource({"20001, 413", "99999999999999999999, 413", "'', 411", "-1, 411"})
    void aFormThatIsTooLongIsNotRead(String length, int status) {
        sent.headers.put("Content-Length", length);
        assertRefused(status, Map.of("action", "stepdown", "token", token()));
    }

    @Test
    void anActionThatDoesNothingIsAConflict() {
        acting.success = false;
        post(Map.of("action", "stepdown", "token", token()));
        assertThat(reply.status()).isEqualTo(409);
        assertThat(Sent.text(reply)).contains("Nothing was done: It steps down.");
        post(Map.of("action", "evict", "target", "b", "token", token()));
        assertThat(reply.status()).isEqualTo(409);
        assertThat(reply.headers()).doesNotContainKey("Location");
    }

    @Test
    void thereAreNoOtherActions() {
        assertRefused(400, Map.of("action", "explode", "token", token()));
        assertRefused(400, Map.of("action", "evict", "token", token()));
        sent.parameters.putAll(Map.of("action", "stepdown", "token", token()));
        get("/topology");
        assertThat(acting.done).as("reading changes nothing").isEmpty();
    }

    private void assertRefused(int status, Map<String, String> form) {
        post(form);
        assertThat(reply.status()).isEqualTo(status);
        assertThat(Sent.text(reply)).contains("Nothing was done");
        assertThat(acting.done).isEmpty();
    }

    /** Returns the token of the form on a page. */
    private String token() {
        operator = acting;
        String text = get("/topology/" + Reports.id(2));
        int begin = text.indexOf("name=\"token\" value=\"") + 20;
        return text.substring(begin, text.indexOf('"', begin));
    }

    private void post(Map<String, String> form) {
        sent.parameters.clear();
        sent.parameters.putAll(form);
        sent.headers.putIfAbsent("Content-Length", "100");
        send("POST", "/topology", reporter);
        sent.parameters.clear();
    }

    private String content() {
        return get("/topology.content");
    }

    private String get(String path) {
        return Sent.text(send("GET", path, reporter));
    }

    private Reply send(String method, String path, Reporter asked) {
        reply = router.answer(sent.request(method, path), asked, operator);
        return reply;
    }
}
