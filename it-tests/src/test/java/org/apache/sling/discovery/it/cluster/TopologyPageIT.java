// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import static org.apache.sling.discovery.it.cluster.Containers.awaitOrder;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.sling.discovery.launcher.ContainerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page on a real console and a real HTTP service. */
class TopologyPageIT {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Pattern TOKEN = Pattern.compile("name=\"token\" value=\"([^\"]+)\"");

    @TempDir
    private Path folder;

    private ContainerProcess container;

    @Test
    void strangersLearnNothingAndChangeNothing() throws Exception {
        try (Containers containers = new Containers(folder)) {
            container = containers.start("one", "a");
            awaitOrder(List.of("a"), container);
            for (String rest : List.of("", ".content", "?show=history", "?show=tree", "/a")) {
                HttpResponse<String> answer = text(request(rest));
                assertThat(answer.statusCode()).as(rest).isEqualTo(401);
                assertThat(answer.body()).doesNotContain("discovery-topology", "data:");
            }
            assertThat(text(form(request(""), "action=standdown")).statusCode()).isEqualTo(401);
        }
    }

    @Test
    void pagesAndResourcesAreServedToUsers() throws Exception {
        try (Containers containers = new Containers(folder)) {
            container = containers.start("one", "a");
            awaitOrder(List.of("a"), container);
            HttpResponse<String> page = text(known(""));
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body()).contains("id=\"dz-picture\"", "data-id=\"a\"");
            assertThat(text(known("?show=history")).body()).contains("id=\"dz-timeline\"");
            assertThat(text(known("?show=tree")).body()).contains("id=\"dz-tree\"", "/sling/discovery");
            assertThat(text(known("/res/topology.js")).body()).contains("If-None-Match");
        }
    }

    @Test
    void aFormIsExecutedWithItsTokenOnly() throws Exception {
        try (Containers containers = new Containers(folder)) {
            container = containers.start("one", "a");
            awaitOrder(List.of("a"), container);
            ContainerProcess other = containers.start("two", "b");
            awaitOrder(List.of("a", "b"), container, other);
            assertThat(text(form(known(""), "action=standdown&token=guessed")).statusCode())
                    .isEqualTo(403);
            String form = "action=standdown&token=" + token();
            assertThat(text(form(known("").header("Sec-Fetch-Site", "cross-site"), form))
                            .statusCode())
                    .isEqualTo(403);
            awaitOrder(List.of("a", "b"), container, other);
            HttpResponse<String> done = text(form(known(""), form));
            assertThat(done.statusCode()).isEqualTo(303);
            String result = done.headers().firstValue("Location").orElseThrow();
            assertThat(text(known(result.substring(result.indexOf('?')))).body())
                    .contains("id=\"dz-notice\"", "a stands down");
            awaitOrder(List.of("b", "a"), container, other);
        }
    }

    private String token() throws Exception {
        Matcher token = TOKEN.matcher(text(known("")).body());
        assertThat(token.find()).as("a form has a token").isTrue();
        return URLEncoder.encode(token.group(1), StandardCharsets.UTF_8);
    }

    private static HttpRequest.Builder form(HttpRequest.Builder request, String fields) {
        return request.header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(fields));
    }

    private static HttpResponse<String> text(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder known(String rest) {
        String login = ContainerProcess.CONSOLE_USER + ":" + ContainerProcess.CONSOLE_USER;
        return request(rest)
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8)));
    }

    private HttpRequest.Builder request(String rest) {
        return HttpRequest.newBuilder(URI.create(container.consoleUri() + rest));
    }
}
