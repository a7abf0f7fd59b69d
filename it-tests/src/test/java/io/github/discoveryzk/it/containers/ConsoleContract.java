// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.containers;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.github.discoveryzk.it.Promtool;
import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.it.console.Browser;
import io.github.discoveryzk.it.console.InBrowser;
import io.github.discoveryzk.it.console.OpenPage;
import io.github.discoveryzk.it.console.TopologyPage;
import io.github.discoveryzk.it.console.Visitor;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What an operator finds in every container that has a web console, whatever servlets it is made of. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ConsoleContract<C extends TestedContainer> {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern ROOT = Pattern.compile("id=\"discovery-topology\"");
    private static final Pattern MENU = Pattern.compile("<a href=['\"][^'\"]*/topology['\"][^>]*>\\s*Topology");
    private static final Pattern TOKEN = Pattern.compile("name=\"token\" value=\"([^\"]+)\"");

    /** The container, which each test class starts and closes. */
    C container;

    private final Visitor user = new Visitor(client(), true);

    private static HttpClient client() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    private URI page(String rest) {
        return URI.create(container.console() + "/topology" + rest);
    }

    private HttpResponse<String> ask(String rest) {
        return user.ask(page(rest)).join();
    }

    /** Returns the page when it is there and its instance has settled. */
    private String untilSettled() {
        untilAsserted(() -> {
            assertThat(user.status("GET", page(""), "")).isEqualTo(200);
            assertThat(ask("").body()).contains("Settled");
        });
        return ask("").body();
    }

    private JsonNode document() throws Exception {
        return JSON.readTree(ask(".json").body());
    }

    private void untilDocument(String pointer, String value) {
        untilAsserted(
                () -> assertThat(document().at(pointer).asText()).as(pointer).isEqualTo(value));
    }

    @Test
    void thePageIsThereOnce() {
        String page = untilSettled();
        assertThat(ROOT.matcher(page).results()).as("our part of the page").hasSize(1);
        // The page has a link to itself too, in our part.
        String frame = page.substring(0, page.indexOf("discovery-topology"));
        assertThat(MENU.matcher(frame).results()).as("links in the menu").hasSize(1);
        assertThat(page).contains("data-id=\"" + container.id() + "\"");
    }

    @Test
    void theConsoleHasNothingToSayAboutIt() {
        untilSettled();
        assertThat(container.log())
                .filteredOn(line -> line.contains("WARN") || line.contains("ERROR"))
                // Karaf names each feature of a KAR that waits for its command.
                .filteredOn(line -> !line.contains("| KarServiceImpl "))
                .noneMatch(line -> line.contains("webconsole"));
    }

    @Test
    void strangersLearnNothing() throws Exception {
        untilSettled();
        Visitor stranger = new Visitor(client(), false);
        for (String rest : List.of("", ".json", ".metrics", ".events", "?show=history", "/res/topology.js")) {
            assertThat(stranger.status("GET", page(rest), "")).as(rest).isEqualTo(401);
        }
        assertThat(stranger.status("POST", page(""), "action=stepdown")).isEqualTo(401);
    }

    @Test
    void thePageHasItsHeadersAndItsResources() {
        untilSettled();
        assertThat(ask("").headers().allValues("Referrer-Policy")).containsExactly("no-referrer");
        assertThat(ask("").headers().allValues("X-Content-Type-Options")).contains("nosniff");
        assertThat(ask("/res/topology.js").body()).contains("If-None-Match");
        assertThat(ask("/res/topology.css").body()).contains(".dz-");
    }

    @Test
    void theJsonIsValid() throws Exception {
        untilSettled();
        JsonSchema schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(ask("/res/topology.schema.json").body());
        assertThat(ask(".json").headers().firstValue("Content-Type").orElse("")).startsWith("application/json");
        JsonNode document = document();
        assertThat(schema.validate(document)).isEmpty();
        assertThat(document.at("/status/state").asText()).isEqualTo("SETTLED");
        assertThat(document.findValuesAsText("id")).contains(container.id());
    }

    @Test
    void theMetricsAreThoseOfPrometheus() throws Exception {
        Promtool.assumeInstalled();
        untilSettled();
        HttpResponse<String> text = ask(".metrics");
        assertThat(text.headers().firstValue("Content-Type").orElse("").replace(" ", ""))
                .startsWith("text/plain;version=0.0.4");
        assertThat(Promtool.check(text.body(), "check", "metrics")).isEmpty();
        assertThat(text.body())
                .contains("\ndiscovery_settled 1.0\n", "\ndiscovery_changing_seconds_bucket{le=\"+Inf\"} ");

        HttpResponse<String> open = user.ask(page(".metrics"), "Accept", "application/openmetrics-text")
                .join();
        assertThat(open.headers().firstValue("Content-Type").orElse("").replace(" ", ""))
                .startsWith("application/openmetrics-text;version=1.0.0");
        assertThat(open.body()).contains("# TYPE discovery_events counter\n").endsWith("\n# EOF\n");
    }

    @Test
    void anOpenPageIsToldOfAPropertyThatChanges() throws Exception {
        untilSettled();
        OpenPage open = new OpenPage(client(), page(""));
        try (PlainInstance peer = PlainInstance.join(container.cluster(), "painter")) {
            untilDocument("/status/state", "SETTLED");
            untilAsserted(() -> assertThat(open.ask()).isEqualTo(304));
            peer.offer("colour", "red");
            untilAsserted(() -> assertThat(open.ask()).isEqualTo(200));
            untilAsserted(
                    () -> assertThat(document().findValuesAsText("colour")).contains("red"));
        }
    }

    @Test
    @InBrowser
    void anOpenPageFollowsTheClusterAndSaysHow(Browser browser) {
        untilSettled();
        TopologyPage open = new TopologyPage(browser, page("")).open();
        open.awaitDrawn(List.of(container.id()));
        try (PlainInstance guest = PlainInstance.join(container.cluster(), "guest")) {
            open.awaitStatus("2 instances");
            open.awaitDrawn(guest.members());
            assertThat(open.text()).contains("Live");
            browser.screenshot("console-" + container.cluster());
        }
        assertThat(browser.complaints())
                .as("what the browser refused to load or to run")
                .noneMatch(complaint -> complaint.contains("Content Security Policy"));
    }

    @Test
    void aFormIsExecutedWithItsTokenOnly() throws Exception {
        untilSettled();
        try (PlainInstance peer = PlainInstance.join(container.cluster(), "successor")) {
            untilAsserted(() -> assertThat(peer.members()).containsExactly(container.id(), "successor"));
            untilSettled();
            assertThat(user.status("POST", page(""), "action=stepdown")).isEqualTo(403);
            assertThat(user.status("POST", page(""), "action=stepdown&token=guessed"))
                    .isEqualTo(403);
            assertThat(peer.members()).containsExactly(container.id(), "successor");

            Matcher token = TOKEN.matcher(ask("?instance=" + container.id()).body());
            assertThat(token.find()).as("a form has a token").isTrue();
            HttpResponse<String> done = user.post(
                    page(""), "action=stepdown&token=" + URLEncoder.encode(token.group(1), StandardCharsets.UTF_8));
            assertThat(done.statusCode()).isEqualTo(303);
            URI result = page("").resolve(done.headers().firstValue("Location").orElseThrow());
            assertThat(user.page(result)).contains("id=\"dz-notice\"", container.id() + " steps down");
            untilAsserted(() -> assertThat(peer.members()).containsExactly("successor", container.id()));
        }
    }

    @Test
    void theInventoryHasTheTopology() throws Exception {
        URI inventory = URI.create(container.console() + "/status-discovery");
        untilAsserted(
                () -> assertThat(user.page(URI.create(inventory + ".txt"))).contains("State:         Settled since "));
        assertThat(JSON.readTree(user.page(URI.create(inventory + ".json")))
                        .at("/status/state")
                        .asText())
                .isEqualTo("SETTLED");
    }
}
