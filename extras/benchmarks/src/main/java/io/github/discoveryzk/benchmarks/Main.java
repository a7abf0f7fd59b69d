// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks;

import io.github.discoveryzk.benchmarks.result.Results;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code ./bench}. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measures how long changes of a cluster take and what they cost, beside a bare ZooKeeper client,"
                + " Curator and JGroups.")
final class Main implements Callable<Integer> {

    /** The runs whose results are published: the name of each and its options. */
    private static final List<String> REPORT = List.of(
            "limits --contestants raw,chain,curator,discovery,jgroups --rounds 9 --warmup 3",
            "warm --members 3,10 --contestants raw,chain,discovery --scenarios leave,join,property --rounds 50 --warmup 200",
            "thousand --members 30,300,1000 --real 10 --processes 3 --contestants raw,chain,discovery"
                    + " --scenarios leave,join,property,storm --rounds 3 --warmup 1",
            "ensemble --members 30,300,1000 --real 10 --processes 3 --servers 3 --contestants raw,chain,discovery"
                    + " --scenarios leave,join,property,storm --rounds 3 --warmup 1",
            "crash --members 3,10,30 --contestants raw,discovery,jgroups,jgroups_tuned --scenarios crash --rounds 3 --warmup 0");

    @Mixin
    private Plan plan;

    @Option(
            names = "--report",
            description = "make all runs that are published, in about half an hour; only --folder counts besides")
    private boolean report;

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(Plan.parser(new Main()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Progress progress = new Progress(System.out);
        if (report) {
            report(progress);
        } else {
            Results results = new Benchmark(plan, progress).run();
            System.out.println(results.tables(plan.contestants));
        }
        System.out.println("The tables and results.csv are in " + plan.folder);
        return 0;
    }

    private void report(Progress progress) throws Exception {
        StringBuilder tables = new StringBuilder();
        List<String> lines = new ArrayList<>(List.of("run," + Results.COLUMNS));
        for (String run : REPORT) {
            String name = run.substring(0, run.indexOf(' '));
            String options = run.substring(name.length() + 1);
            progress.print(run);
            Plan part = Plan.of(options.split(" "));
            part.folder = plan.folder.resolve(name);
            Results results = new Benchmark(part, progress).run();
            tables.append("\n## `").append(options).append("`\n").append(results.tables(part.contestants));
            results.csv().forEach(line -> lines.add(name + "," + line));
            Files.writeString(plan.folder.resolve("tables.md"), tables);
            Files.write(plan.folder.resolve("results.csv"), lines);
        }
    }
}
