// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.cluster.Containers.awaitOrder;
import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.launcher.ContainerProcess;
import io.github.discoveryzk.launcher.ContainerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sling's scheduler, as a Starter has it, in three containers. */
class SlingSchedulerIT {

    private static final List<String> SCHEDULER = List.of(
            "metrics-core",
            "org.apache.sling.commons.metrics",
            "org.apache.sling.commons.threads",
            "org.apache.sling.commons.scheduler");

    private static final int RUNS = 3;

    @TempDir
    private Path folder;

    @AutoClose
    private Containers containers;

    private Path job;

    @BeforeEach
    void startServer() throws Exception {
        containers = new Containers(folder);
        job = LeaderJob.bundle(folder.resolve("leader-job.jar"));
    }

    private ContainerProcess start(String id) throws Exception {
        ContainerSettings settings = containers.settings(id, id).withBundle(job);
        for (String name : SCHEDULER) {
            settings = settings.withBundle(Path.of(System.getProperty("bundles.directory"), name + ".jar"));
        }
        return containers.start(settings);
    }

    private static long runs(ContainerProcess container) {
        return container.lines().stream().filter(LeaderJob.RAN::equals).count();
    }

    private static void awaitMoreRuns(ContainerProcess container) {
        long before = runs(container);
        awaitThat("the job runs on " + container.name(), () -> runs(container) >= before + RUNS);
    }

    private static void assertThatNothingFailed(ContainerProcess container) throws IOException {
        assertThat(Files.readAllLines(container.log()).stream().filter(line -> line.contains(" ERROR ")))
                .as("errors of " + container.name())
                .isEmpty();
    }

    @Test
    void aJobRunsOnTheLeaderOnlyAndMovesToTheNextOne() throws Exception {
        ContainerProcess a = start("a");
        awaitOrder(List.of("a"), a);
        ContainerProcess b = start("b");
        awaitOrder(List.of("a", "b"), a, b);
        ContainerProcess c = start("c");
        awaitOrder(List.of("a", "b", "c"), a, b, c);
        awaitMoreRuns(a);
        assertThat(List.of(runs(b), runs(c))).as("runs elsewhere").containsOnly(0L);
        a.kill();
        awaitOrder(List.of("b", "c"), b, c);
        awaitMoreRuns(b);
        assertThat(runs(c)).as("runs elsewhere").isZero();
        assertThatNothingFailed(b);
        assertThatNothingFailed(c);
    }
}
