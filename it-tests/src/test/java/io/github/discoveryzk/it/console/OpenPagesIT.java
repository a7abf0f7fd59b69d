// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.console;

import static io.github.discoveryzk.it.cluster.Containers.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.launcher.ContainerProcess;
import io.github.discoveryzk.launcher.ContainerSettings;
import io.github.discoveryzk.launcher.Distribution;
import io.github.discoveryzk.launcher.Ports;
import io.github.discoveryzk.testing.server.TestServer;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cost of open pages: none for the store, for any number of pages. */
@Tag("thorough")
class OpenPagesIT {

    private static final int PAGES = 50;
    private static final int SESSION_MILLIS = 4_000;

    /** The time of observation, in eighths of the session timeout; 120 are a minute. */
    private static final int EIGHTHS = Integer.getInteger("discovery.test.console.eighths", 8);

    /** The observation may begin just before a renewal. */
    private static final int SLACK = 2;

    private static final Set<String> RENEWALS = Set.of("multi");

    private final List<OpenPage> pages = new ArrayList<>();

    @Test
    void pagesThatAreOpenAskNothingOfTheStore(@TempDir Path folder) throws Exception {
        try (TestServer server = new TestServer(folder.resolve("zookeeper"));
                ContainerProcess container = ContainerProcess.start(
                        new Distribution(Path.of(System.getProperty("discovery.distribution"))),
                        ContainerSettings.of(folder.resolve("one"), Ports.free(), server.address())
                                .withDiscovery("sessionTimeoutMillis", SESSION_MILLIS)
                                .withFrameworkProperty("io.github.discoveryzk.instanceId", "a"))) {
            container.awaitStarted(Duration.ofMinutes(1));
            assertIdle("no page", server);

            openPages(container);
            assertIdle(PAGES + " pages", server);
            assertAllPagesReceiveAChange(server);
        }
    }

    private void openPages(ContainerProcess container) {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        Stream.generate(() -> new OpenPage(client, container.consoleUri()))
                .limit(PAGES)
                .forEach(pages::add);
        assertThat(pages).allMatch(page -> page.ask() == 200);
    }

    private void assertAllPagesReceiveAChange(TestServer server) {
        awaitThat("nothing new", () -> pages.stream().allMatch(page -> page.ask() == 304));
        PlainInstance other =
                new PlainInstance("b", ZooKeeperStoreConfig.of(server.address()).withSessionTimeout(SESSION_MILLIS));
        try {
            other.start();
            for (OpenPage page : pages) {
                awaitThat("another content", () -> page.ask() == 200);
            }
        } finally {
            other.close();
        }
    }

    private void assertIdle(String what, TestServer server) throws Exception {
        // The rights of all nodes are compared a second after a connect; all else has ended by then.
        server.forgetAsked();
        awaitThat("the end of earlier changes", () -> renewals(server) >= EIGHTHS);
        server.forgetAsked();
        long start = System.nanoTime();
        for (int i = 1; i <= EIGHTHS; i++) {
            int next = i;
            awaitThat("renewal " + next, () -> {
                pages.forEach(OpenPage::ask);
                return renewals(server) >= next;
            });
        }
        long millis = (System.nanoTime() - start) / 1_000_000;
        Map<Long, Map<String, Long>> counts = server.asked();

        assertThat(counts).as("sessions that ask with " + what).hasSize(1);
        assertThat(counts.values()).allSatisfy(asked -> {
            assertThat(RENEWALS).as("requests with " + what).containsAll(asked.keySet());
            assertThat(asked.get("multi"))
                    .as("once per eighth with " + what)
                    .isBetween((long) EIGHTHS, millis * 8 / SESSION_MILLIS + SLACK);
        });
    }

    private static long renewals(TestServer server) {
        return server.asked().values().stream()
                .mapToLong(asked -> asked.getOrDefault("multi", 0L))
                .sum();
    }
}
