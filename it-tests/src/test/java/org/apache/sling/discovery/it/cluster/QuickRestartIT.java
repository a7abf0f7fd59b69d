// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import static org.apache.sling.discovery.it.cluster.Containers.awaitOrder;
import static org.apache.sling.discovery.it.cluster.Containers.events;
import static org.apache.sling.discovery.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.sling.discovery.launcher.ContainerProcess;
import org.apache.sling.discovery.launcher.ContainerSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Containers that are killed and started again immediately, while the session of the killed process is still alive. */
class QuickRestartIT {

    /** Long enough that no session ends in a test unless the test ends it. */
    private static final int SESSION_TIMEOUT = 300_000;

    private static final String SAYS = "was started again";

    @TempDir
    private Path folder;

    private Containers containers;
    private ContainerProcess a;
    private ContainerProcess b;
    private long sessionOfA;
    private long sessionOfB;

    @BeforeEach
    void startCluster() throws Exception {
        containers = new Containers(folder);
        a = start("one", "a");
        awaitOrder(List.of("a"), a);
        sessionOfA = containers.server().sessions().iterator().next();
        b = start("two", "b");
        awaitOrder(List.of("a", "b"), a, b);
        sessionOfB = containers.server().sessions().stream()
                .filter(session -> session != sessionOfA)
                .findFirst()
                .orElseThrow();
    }

    @AfterEach
    void stopCluster() {
        containers.close();
    }

    private ContainerProcess start(String name, String instanceId) throws Exception {
        ContainerSettings settings =
                containers.settings(name, instanceId).withDiscovery("sessionTimeoutMillis", SESSION_TIMEOUT);
        Containers.withoutNeighbours(settings);
        return containers.start(settings);
    }

    @Test
    void theNodeOfADeadEarlierProcessIsRemovedImmediately() throws Exception {
        a.kill();
        ContainerProcess second = start("one", "a");
        awaitOrder(List.of("b", "a"), second, b);
        assertThat(containers.server().sessions())
                .as("the session of the killed process has not ended")
                .contains(sessionOfA);
        assertThat(Containers.page(b, "?show=history")).contains("a died and " + SAYS);
        // A second restart is as quick as the first.
        b.kill();
        ContainerProcess other = start("two", "b");
        awaitOrder(List.of("a", "b"), second, other);
        second.kill();
        awaitOrder(List.of("b", "a"), start("one", "a"), other);
    }

    /** A restored copy proves nothing; that it has the home of the other one only makes it likely. */
    @Test
    @Tag("thorough")
    void withoutAProofTheSessionIsWaitedOutVisibly() throws Exception {
        b.kill();
        awaitThat("the end of b", () -> !b.isAlive());
        copy(folder.resolve("two"), folder.resolve("copy"));
        Files.move(folder.resolve("two"), folder.resolve("before"));
        Files.move(folder.resolve("copy"), folder.resolve("two"));
        ContainerProcess again = start("two", "b");
        String countdown = "instance id b is held by process " + b.pid()
                + " of the same home, probably a predecessor of this instance; if so its session ends in at most ";
        awaitThat(
                "the countdown in the log", () -> Files.readString(again.log()).contains(countdown));
        Set<String> shown = new HashSet<>();
        awaitThat("the countdown on the page", () -> {
            String page = Containers.page(again, "").replaceAll("<[^>]*>", "");
            int at = page.indexOf(countdown);
            if (at >= 0) {
                shown.add(page.substring(at, page.indexOf(" s", at + countdown.length())));
            }
            return shown.size() > 1;
        });
        assertThat(events(again)).isEmpty();
        assertThat(events(a)).as("no other instance is disturbed").hasSize(3);
        containers.server().expire(sessionOfB);
        awaitOrder(List.of("a", "b"), a, again);
        assertThat(Containers.page(a, "?show=history")).doesNotContain(SAYS);
    }

    /** Copies the files; the copies have new identities, as with every way of copying. */
    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            // The socket of the shell cannot be copied.
            for (Path each : (Iterable<Path>)
                    all.filter(path -> Files.isDirectory(path) || Files.isRegularFile(path))::iterator) {
                Files.copy(each, to.resolve(from.relativize(each)));
            }
        }
    }
}
