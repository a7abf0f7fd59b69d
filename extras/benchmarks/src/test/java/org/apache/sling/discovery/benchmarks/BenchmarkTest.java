// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plays each scenario with each contestant once. It claims nothing about the time that this takes. */
class BenchmarkTest {

    @Test
    void measuresEachScenarioForEachContestant(@TempDir Path folder) throws Exception {
        List<Contestant> contestants = List.of(Contestant.values());
        List<Scenario> scenarios = quick();
        Benchmark.Plan plan =
                new Benchmark.Plan(List.of(3), 1, 1, 1, 0, Duration.ofMillis(100), contestants, scenarios, folder);

        Results results = new Benchmark(plan, System.out).run();

        for (Contestant contestant : contestants) {
            for (Scenario scenario : scenarios) {
                assertThat(results.typical(scenario.key(), Quantity.TIME, 3, contestant))
                        .as("%s of %s", scenario, contestant)
                        .hasValueSatisfying(millis -> assertThat(millis).isPositive());
            }
        }
        assertThat(results.typical("leave", Quantity.DECISIONS, 3, Contestant.DISCOVERY))
                .isPresent();
        assertThat(Files.readAllLines(folder.resolve("medians.csv"))).hasSizeGreaterThan(contestants.size());
        assertThat(folder.resolve("leave-time.svg")).exists();
    }

    /** Returns the scenarios that do not wait for the end of a session. */
    private static List<Scenario> quick() {
        return List.copyOf(EnumSet.complementOf(EnumSet.of(Scenario.CRASH)));
    }

    @Test
    void membersInProcessesOfTheirOwnAreMeasuredToo(@TempDir Path folder) throws Exception {
        Benchmark.Plan plan = new Benchmark.Plan(
                List.of(3), 1, 2, 1, 0, Duration.ofMillis(100), List.of(Contestant.RAW), quick(), folder);

        Results results = new Benchmark(plan, System.out).run();

        assertThat(results.typical("storm", Quantity.TIME, 3, Contestant.RAW)).isPresent();
    }
}
