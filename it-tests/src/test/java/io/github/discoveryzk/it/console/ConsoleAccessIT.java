// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.console;

import static io.github.discoveryzk.it.cluster.Containers.awaitOrder;
import static io.github.discoveryzk.it.cluster.Containers.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.chaos.Pause;
import io.github.discoveryzk.it.cluster.Containers;
import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.launcher.ContainerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Access and permitted requests, in containers with a console at an unusual path. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConsoleAccessIT {

    private static final String CONSOLE = "/context/admin/desk";
    private static final String STEP_DOWN = "action=stepdown&instance=a";
    private static final Pattern TOKEN = Pattern.compile("name=\"token\" value=\"([^\"]+)\"");
    private static final List<String> METHODS = List.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH");
    private static final List<String> BELOW = List.of(
            "",
            "/a",
            "/b",
            "?show=history",
            "?show=tree",
            ".json",
            ".content",
            ".metrics",
            "/res/topology.js",
            "/res/topology.css",
            "/../topology");

    private Containers containers;
    private ContainerProcess a;
    private ContainerProcess b;

    @BeforeAll
    void startCluster(@TempDir Path folder) throws Exception {
        containers = new Containers(folder);
        a = start("a");
        awaitOrder(List.of("a"), a);
        b = start("b");
        awaitOrder(List.of("a", "b"), a, b);
        awaitThat("the console", () -> user().status("GET", page(a, ""), "") == 200);
    }

    @AfterAll
    void stopCluster() {
        containers.close();
    }

    private ContainerProcess start(String id) throws Exception {
        return containers.start(containers
                .settings(id, id)
                .withFrameworkProperty("org.apache.felix.http.context_path", "/context")
                .withFrameworkProperty("felix.webconsole.manager.root", "/admin/desk"));
    }

    private static URI page(ContainerProcess container, String below) {
        return container.consoleUri().resolve(CONSOLE + "/topology" + below);
    }

    /** Returns a visitor with name and password. */
    private static Visitor user() {
        return new Visitor(client(), true);
    }

    private static HttpClient client() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    private String token(Visitor visitor) throws Exception {
        Matcher matcher = TOKEN.matcher(visitor.page(page(a, "/a")));
        assertThat(matcher.find()).as("a form with a token").isTrue();
        return matcher.group(1);
    }

    @Test
    void noRequestIsAnsweredWithoutALogin() throws Exception {
        Visitor stranger = new Visitor(client(), false);
        for (String below : BELOW) {
            for (String method :
                    Stream.concat(METHODS.stream(), Stream.of("POST")).toList()) {
                assertThat(stranger.status(method, page(a, below), ""))
                        .as(method + " " + below)
                        .isEqualTo(401);
            }
        }
    }

    @Test
    void everythingIsWhereThePageSaysItIs() throws Exception {
        Visitor user = user();
        for (String below : List.of("", "/a", "?show=history", "?show=tree")) {
            List<String> addresses = Pattern.compile("(?:href|src|action|data-content)=\"(/[^\"]*)\"")
                    .matcher(user.page(page(a, below)))
                    .results()
                    .map(match -> match.group(1).replace("&amp;", "&"))
                    .filter(address -> address.contains("topology"))
                    .distinct()
                    .toList();
            assertThat(addresses).hasSizeGreaterThan(5).allMatch(address -> address.startsWith(CONSOLE + "/"));
            for (String address : addresses) {
                assertThat(user.status("GET", page(a, "").resolve(address), ""))
                        .as(address)
                        .isEqualTo(200);
            }
        }
    }

    /** The last one, because the pause may end the session of b. */
    @Test
    @Order(Integer.MAX_VALUE)
    void theMetricsShowHowLongTheProcessWasStopped() throws Exception {
        Pattern longest = Pattern.compile("(?m)^discovery_longest_pause_seconds ([0-9.]+)$");
        awaitThat("a pause of b in which a timer was due", () -> {
            Pause pause = Pause.of(b.pid());
            try {
                Limit.pass(Duration.ofSeconds(3));
            } finally {
                pause.close();
            }
            Matcher found = longest.matcher(user().page(page(b, ".metrics")));
            return found.find() && Double.parseDouble(found.group(1)) > 1;
        });
    }

    @Test
    void onlyAFormOfThePageChangesAnything() throws Exception {
        Visitor user = user();
        String form = STEP_DOWN + "&token=" + token(user);
        for (String below : BELOW) {
            for (String method : METHODS) {
                user.status(method, page(a, (below.contains("?") ? below + "&" : below + "?") + form), "");
                user.status(method, page(a, below), form);
            }
        }
        for (String wrong : List.of("", "&token=", "&token=" + token(user) + "x", "&token=" + "A".repeat(43))) {
            assertThat(user.status("POST", page(a, ""), STEP_DOWN + wrong))
                    .as("with the token '" + wrong + "'")
                    .isEqualTo(403);
        }
        assertThat(user.status("POST", page(b, ""), form.replace("instance=a", "instance=b")))
                .as("with the token of another console")
                .isEqualTo(403);

        assertThat(user.status("POST", page(a, ""), form)).as("with the token").isEqualTo(303);
        awaitOrder(List.of("b", "a"), a, b);
        assertThat(user.status("POST", page(a, ""), form.replace("stepdown", "evict") + "&target=b"))
                .isEqualTo(303);
        awaitOrder(List.of("a", "b"), a, b);
        String history = user.page(page(a, "?show=history"));
        String views = history.substring(history.indexOf("id=\"dz-history\""));
        assertThat(Pattern.compile("(was evicted|stepped down)")
                        .matcher(views)
                        .results()
                        .map(match -> match.group(1)))
                .as("how members left, newest first")
                .containsExactly("was evicted", "stepped down");
    }
}
