// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks;

import io.github.discoveryzk.benchmarks.member.Contestant;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** What to measure, as the command line says it. */
final class Plan {

    /** How long a change may take; a contestant that takes longer is dropped. */
    static final long LIMIT_MILLIS = 180_000;

    private static final int STORM_SHARE = 5;

    @Option(
            names = "--members",
            split = ",",
            defaultValue = "3,10,30,100",
            description = "numbers of members (${DEFAULT-VALUE})")
    List<Integer> members;

    @Option(
            names = "--real",
            defaultValue = "0",
            description =
                    "real members of this project's cluster; the others are light ones that only acknowledge, so that many fit on"
                            + " one machine; 0 for all (${DEFAULT-VALUE})")
    int real;

    @Option(
            names = "--servers",
            defaultValue = "1",
            description = "servers of each contestant, 1 or 3 (${DEFAULT-VALUE})")
    int servers;

    @Option(
            names = "--processes",
            defaultValue = "1",
            description = "processes that the members of a contestant share (${DEFAULT-VALUE})")
    int processes;

    @Option(
            names = "--other",
            paramLabel = "CLASSPATH",
            description = "jars of the build that the contestant other is, for example"
                    + " '../before/extras/benchmarks/target/benchmarks/lib/*'")
    String other;

    @Option(names = "--rounds", defaultValue = "15", description = "rounds that count (${DEFAULT-VALUE})")
    int rounds;

    @Option(names = "--warmup", defaultValue = "5", description = "rounds before them (${DEFAULT-VALUE})")
    int warmup;

    @Option(names = "--idle", defaultValue = "20", description = "seconds without a change (${DEFAULT-VALUE})")
    int idle;

    @Option(
            names = "--contestants",
            split = ",",
            defaultValue = "raw,chain,curator,discovery",
            description = "any of ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})")
    List<Contestant> contestants;

    @Option(
            names = "--scenarios",
            split = ",",
            defaultValue = "leave,join,leader_leave,property,restart,storm",
            description = "any of ${COMPLETION-CANDIDATES}; leave and join only together (${DEFAULT-VALUE})")
    List<Scenario> scenarios;

    @Option(
            names = "--folder",
            defaultValue = "${sys:bench.folder}",
            description = "where the results are written (${DEFAULT-VALUE})")
    Path folder;

    /** Returns the plan of a line of options. */
    static Plan of(String... options) {
        Plan plan = new Plan();
        parser(plan).parseArgs(options);
        return plan;
    }

    static CommandLine parser(Object command) {
        return new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true);
    }

    /** Throws an exception if the options contradict each other. */
    void check() {
        if (contestants.contains(Contestant.OTHER) != (other != null)) {
            throw new IllegalArgumentException("the contestant other and the option --other belong together");
        }
        if (scenarios.stream().anyMatch(Scenario::needsRealMembers)
                && members.stream().anyMatch(size -> real(size) < size)) {
            throw new IllegalArgumentException(
                    "light members never lead and have no shared data: leader_leave, data, data_burst and work are without them");
        }
        if (scenarios.contains(Scenario.WORK) && contestants.contains(Contestant.DISCOVERY) && processes > 1) {
            throw new IllegalArgumentException("the scenario work needs all members in one process");
        }
    }

    /** Returns how many members of this project's cluster are real: the most senior ones, because light ones never coordinate. */
    int real(int size) {
        return real == 0 ? size : Math.min(real, size);
    }

    /** Returns how many join at the same time in a storm. */
    static int newcomers(int size) {
        return Math.max(2, size / STORM_SHARE);
    }
}
