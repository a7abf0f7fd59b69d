// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code ./bench}. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description =
                "Measures how long changes of a cluster take and what they cost, beside a bare ZooKeeper client and"
                        + " Curator. With --jmh as the first argument it measures single functions instead; the other arguments are"
                        + " those of JMH.")
final class Main implements Callable<Integer> {

    @Option(
            names = "--members",
            split = ",",
            defaultValue = "3,10,30,100",
            description = "numbers of members; none for only what --cold measures (${DEFAULT-VALUE})")
    private List<String> members;

    @Option(
            names = "--real",
            defaultValue = "0",
            description =
                    "real members of this project's cluster; the others are light ones that only acknowledge, so that many fit on"
                            + " one machine; 0 for all (${DEFAULT-VALUE})")
    private int real;

    @Option(
            names = "--newcomers",
            defaultValue = "0",
            description = "members that join at once in a storm; 0 for a fifth of the members (${DEFAULT-VALUE})")
    private int newcomers;

    @Option(
            names = "--limit",
            defaultValue = "180",
            description = "seconds after which a contestant that has not settled is dropped (${DEFAULT-VALUE})")
    private int limit;

    @Option(
            names = "--servers",
            defaultValue = "1",
            description = "servers of each contestant, 1 or 3 (${DEFAULT-VALUE})")
    private int servers;

    @Option(
            names = "--processes",
            defaultValue = "1",
            description =
                    "processes that the members of a contestant share; 1 is the process of the benchmark (${DEFAULT-VALUE})")
    private int processes;

    @Option(names = "--rounds", defaultValue = "15", description = "rounds that count (${DEFAULT-VALUE})")
    private int rounds;

    @Option(names = "--warmup", defaultValue = "5", description = "rounds before them (${DEFAULT-VALUE})")
    private int warmup;

    @Option(
            names = "--idle",
            defaultValue = "20",
            description = "seconds without a change, also before the first one of --cold (${DEFAULT-VALUE})")
    private int idle;

    @Option(
            names = "--contestants",
            split = ",",
            defaultValue = "raw,chain,curator,discovery",
            description = "any of ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})")
    private List<Contestant> contestants;

    @Option(
            names = "--scenarios",
            split = ",",
            defaultValue = "leave,join,leader_leave,property,restart,storm",
            description = "any of ${COMPLETION-CANDIDATES}; leave and join only together (${DEFAULT-VALUE})")
    private List<Scenario> scenarios;

    @Option(
            names = "--cold",
            defaultValue = "0",
            description = "fresh processes in which the first change is compared with the hundredth (${DEFAULT-VALUE})")
    private int cold;

    @Option(
            names = "--report",
            description = "run all that is published, and write it as a page; ignores other options")
    private boolean report;

    @Option(
            names = "--parts",
            split = ",",
            description = "with --report: only these parts (limits, warm, cold, thousand, ensemble, processes, crash,"
                    + " functions)")
    private Set<String> parts = Set.of();

    @Option(names = "--quick", description = "with --report: only try it, with few members and rounds")
    private boolean quick;

    @Option(
            names = "--folder",
            defaultValue = "${sys:bench.folder}",
            description = "where the results are written (${DEFAULT-VALUE})")
    private Path folder;

    private Main() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("--jmh")) {
            org.openjdk.jmh.Main.main(
                    List.of(arguments).subList(1, arguments.length).toArray(String[]::new));
        } else {
            System.exit(new CommandLine(new Main())
                    .setCaseInsensitiveEnumValuesAllowed(true)
                    .execute(arguments));
        }
    }

    @Override
    public Integer call() throws Exception {
        Plan plan = new Plan(
                members.contains("none")
                        ? List.of()
                        : members.stream().map(Integer::valueOf).toList(),
                real,
                newcomers,
                servers,
                processes,
                rounds,
                warmup,
                Duration.ofSeconds(idle),
                Duration.ofSeconds(limit),
                contestants,
                scenarios,
                cold,
                folder.toAbsolutePath());
        ExitHook.install();
        try (Progress progress = new Progress(System.out)) {
            if (report) {
                Path page = new Report(folder.toAbsolutePath().resolve("report"), progress).write(quick, parts);
                System.out.println("The report is " + page + ", with the pictures beside it");
                return 0;
            }
            Results results = new Benchmark(plan, progress).run();
            System.out.println(results.tables(contestants));
        }
        System.out.println("The samples, medians and pictures are in " + plan.folder());
        return 0;
    }
}
