// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.benchmarks.member.Contestant;
import io.github.discoveryzk.benchmarks.result.Quantity;
import io.github.discoveryzk.benchmarks.result.Results;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plays each scenario once. It claims nothing about the time that this takes. */
class BenchmarkTest {

    @TempDir
    Path folder;

    @Test
    @Tag("thorough")
    void eachScenarioOfThisProjectIsMeasured() throws Exception {
        Results results = run("--members 3 --contestants discovery,discovery_writing");

        assertMeasured(results, 3, Contestant.DISCOVERY);
        assertMeasured(results, 3, Contestant.DISCOVERY_WRITING);
        // Each write reaches each member.
        assertThat(results.typical(Results.IDLE, Quantity.IDLE_PACKETS, 3, Contestant.DISCOVERY_WRITING))
                .hasValueSatisfying(packets -> assertThat(packets).isGreaterThan(10));
        assertThat(Files.readAllLines(folder.resolve("results.csv")))
                .hasSizeGreaterThan(10)
                .startsWith(Results.COLUMNS);
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Test
    @Tag("thorough")
    void eachScenarioOfEachOtherContestantIsMeasured() throws Exception {
        Set<Contestant> others = EnumSet.complementOf(EnumSet.of(Contestant.DISCOVERY, Contestant.DISCOVERY_WRITING));
        String names = others.stream().map(Contestant::toString).collect(Collectors.joining(","));

        Results results = run("--members 3 --processes 2 --other CLASSPATH --contestants " + names);

        for (Contestant other : others) {
            assertMeasured(results, 3, other);
        }
    }

    @Test
    void lightMembersTakePart() throws Exception {
        Results results = run(
                "--members 12 --real 3 --processes 2 --contestants discovery --scenarios leave,join,property,storm");

        for (String scenario : List.of("leave", "join", "property", "storm")) {
            assertThat(results.typical(scenario, Quantity.REAL_PROCESSOR, 12, Contestant.DISCOVERY))
                    .as(scenario)
                    .isPresent();
        }
    }

    @Test
    @Tag("thorough")
    void contestantWithManyThreadsIsExcludedFromLargeClusters() throws Exception {
        int size = Contestant.JGROUPS.largest() + 1;
        Results results = run("--members " + size + " --contestants raw,jgroups --scenarios leave");

        assertThat(results.typical("leave", Quantity.TIME, size, Contestant.RAW))
                .isPresent();
        assertThat(results.typical("leave", Quantity.TIME, size, Contestant.JGROUPS))
                .isEmpty();
    }

    @Test
    void theCommandOfTheDocumentIsAPlan() throws Exception {
        List<String> commands = Files.readAllLines(Path.of("../../docs/performance.md")).stream()
                .filter(line -> line.startsWith("./bench "))
                .toList();

        assertThat(commands).hasSize(1).allSatisfy(command -> Plan.of(
                        command.substring("./bench ".length()).split(" "))
                .check());
    }

    private static void assertMeasured(Results results, int size, Contestant contestant) {
        for (Scenario scenario : quick()) {
            if (scenario.isPlayedBy(contestant)) {
                assertThat(results.typical(scenario.toString(), Quantity.TIME, size, contestant))
                        .as("%s of %s", scenario, contestant)
                        .hasValueSatisfying(millis -> assertThat(millis).isPositive());
            }
        }
    }

    /** Returns the scenarios that do not wait for the end of a session. */
    private static List<Scenario> quick() {
        return Arrays.stream(Scenario.values())
                .filter(scenario -> scenario != Scenario.CRASH)
                .toList();
    }

    /** Runs with options, of which some have other defaults. */
    private Results run(String options) throws Exception {
        String all = quick().stream().map(Scenario::toString).collect(Collectors.joining(","));
        String[] words = Stream.of(
                        ("--rounds 1 --warmup 0 --idle 1 " + options).split(" "),
                        new String[] {"--folder", folder.toString()},
                        options.contains("--scenarios") ? new String[0] : new String[] {"--scenarios", all})
                .flatMap(Arrays::stream)
                .map(word -> word.replace("CLASSPATH", System.getProperty("java.class.path")))
                .toArray(String[]::new);
        return new Benchmark(Plan.of(words), new Progress(System.out)).run();
    }
}
