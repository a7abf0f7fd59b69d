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
        Results results = run(plan(3, 0, 1, contestants, scenarios, folder));

        for (Contestant contestant : contestants) {
            for (Scenario scenario : scenarios) {
                if (!contestant.plays(scenario)) {
                    continue;
                }
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
        Results results = run(plan(3, 0, 2, List.of(Contestant.RAW), quick(), folder));

        assertThat(results.typical("storm", Quantity.TIME, 3, Contestant.RAW)).isPresent();
    }

    @Test
    void lightMembersTakePart(@TempDir Path folder) throws Exception {
        List<Scenario> scenarios = List.of(Scenario.LEAVE, Scenario.JOIN, Scenario.PROPERTY, Scenario.STORM);

        Results results = run(plan(12, 3, 2, List.of(Contestant.DISCOVERY), scenarios, folder));

        for (Scenario scenario : scenarios) {
            assertThat(results.typical(scenario.key(), Quantity.TIME, 12, Contestant.DISCOVERY))
                    .as("%s", scenario)
                    .isPresent();
        }
        assertThat(results.typical("leave", Quantity.REAL_PROCESSOR, 12, Contestant.DISCOVERY))
                .isPresent();
    }

    @Test
    void contestantWithManyThreadsIsLeftOutOfLargeClusters(@TempDir Path folder) throws Exception {
        int size = Contestant.JGROUPS.largest() + 1;
        List<Contestant> two = List.of(Contestant.RAW, Contestant.JGROUPS);

        Results results = run(plan(size, 0, 1, two, List.of(Scenario.LEAVE), folder));

        assertThat(results.typical("leave", Quantity.TIME, size, Contestant.RAW))
                .isPresent();
        assertThat(results.typical("leave", Quantity.TIME, size, Contestant.JGROUPS))
                .isEmpty();
    }

    @Test
    void freshProcessesAreCompared(@TempDir Path folder) throws Exception {
        List<Contestant> two = List.of(Contestant.RAW, Contestant.DISCOVERY);

        Results results = run(Plan.of(folder, two, List.of()).cold(1));

        for (Contestant contestant : two) {
            for (Quantity quantity : List.of(
                    Quantity.COLD_START,
                    Quantity.WARM_START,
                    Quantity.FIRST_CHANGE,
                    Quantity.RESTED_CHANGE,
                    Quantity.HUNDREDTH_CHANGE)) {
                assertThat(results.typical(ColdStart.COLD, quantity, ColdStart.MEMBERS, contestant))
                        .as("%s of %s", quantity, contestant)
                        .hasValueSatisfying(millis -> assertThat(millis).isPositive());
            }
        }
    }

    private static Plan plan(
            int size, int real, int processes, List<Contestant> contestants, List<Scenario> scenarios, Path folder) {
        return new Plan(
                List.of(size),
                real,
                0,
                1,
                processes,
                1,
                0,
                Duration.ofMillis(100),
                Duration.ofSeconds(60),
                contestants,
                scenarios,
                0,
                folder);
    }

    private static Results run(Plan plan) throws Exception {
        try (Progress progress = new Progress(System.out)) {
            return new Benchmark(plan, progress).run();
        }
    }
}
