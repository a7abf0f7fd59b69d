// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.launcher;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The command: starts a cluster, shows its addresses and the events of its listeners, and stops it on request.
 *
 * <p>Progress and events go to standard output, one line each. A failed start is one line on standard error, and an exit code
 * other than 0.
 */
@ThreadsAndClocks
public final class Launcher {

    private static final int WRONG_OPTION = 2;
    private static final int FAILED = 1;
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration START_LIMIT_EACH = Duration.ofSeconds(10);

    private final LocalCluster cluster = new LocalCluster();
    private final PrintStream out = System.out;

    private Launcher() {}

    /**
     * Runs the command and ends the process.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) {
        Launcher launcher = new Launcher();
        Runtime.getRuntime().addShutdownHook(new Thread(launcher::stop, "launcher-stop"));
        System.exit(launcher.run(arguments));
    }

    /** Returns the exit code when no instance or server is left, when the start failed, or when a shell has ended. */
    private int run(String... arguments) {
        LauncherOptions options = new LauncherOptions();
        ShellCommand shell = new ShellCommand();
        // Options after the number of an instance belong to the command of its shell.
        CommandLine parser = new CommandLine(options).addSubcommand(new CommandLine(shell).setStopAtPositional(true));
        try {
            ParseResult parsed = parser.parseArgs(arguments);
            if (CommandLine.executeHelpRequest(parsed) != null) {
                return 0;
            }
            if (parsed.hasSubcommand()) {
                return shell.call();
            }
            options.check();
            start(options);
            return follow();
        } catch (ParameterException e) {
            String help = e.getCommandLine().getCommandSpec().qualifiedName(" ") + " --help lists the options";
            return fail(e.getMessage().replaceAll("\\s+", " ") + " (" + help + ")", WRONG_OPTION);
        } catch (LaunchException e) {
            return cluster.isClosed() ? 0 : fail(e.getMessage(), FAILED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return FAILED;
        }
    }

    private static int fail(String message, int code) {
        System.err.println("run: " + message);
        return code;
    }

    private void start(LauncherOptions options) throws LaunchException, InterruptedException {
        Distribution distribution = Distribution.located();
        options.checkPorts();
        options.checkServers();
        StateDirectory directory = cluster.open(options);
        if (options.fresh()) {
            directory.clear();
        }
        String connectString = options.zookeeper().orElse(null);
        if (connectString == null) {
            logZooKeeperTo(options.directory().resolve("zookeeper.log"));
            connectString = cluster.startZooKeeper().connectString();
            out.println("ZooKeeper started on " + connectString);
        }
        List<ContainerProcess> containers = new ArrayList<>();
        for (ContainerSettings settings : options.containers(connectString)) {
            ContainerProcess container = cluster.start(distribution, settings);
            containers.add(container);
            out.println(container.name() + " starting, pid " + container.pid() + ", port " + settings.httpPort());
        }
        Duration limit = START_LIMIT.plus(START_LIMIT_EACH.multipliedBy(containers.size()));
        for (ContainerProcess container : containers) {
            container.awaitStarted(limit);
            out.println(container.name() + " started");
        }
        show(options, connectString, containers);
    }

    /** Must be called before the first use of a class that logs. */
    private static void logZooKeeperTo(Path file) {
        System.setProperty("org.slf4j.simpleLogger.logFile", file.toString());
        System.setProperty("org.slf4j.simpleLogger.showDateTime", "true");
        System.setProperty("org.slf4j.simpleLogger.dateTimeFormat", "yyyy-MM-dd HH:mm:ss.SSS");
    }

    private void show(LauncherOptions options, String connectString, List<ContainerProcess> containers) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("instance", "pid", "console", "user/password", "log"));
        for (ContainerProcess container : containers) {
            rows.add(List.of(
                    container.name(),
                    Long.toString(container.pid()),
                    container.consoleUri().toString(),
                    ContainerProcess.CONSOLE_USER + "/" + ContainerProcess.CONSOLE_USER,
                    container.log().toString()));
        }
        out.println();
        table(rows).forEach(out::println);
        out.println();
        out.println("one more, in another terminal: ./run " + options.oneMore(connectString));
        out.println("a shell of the first, in another terminal: ./run shell " + options.directoryOfShell() + "1");
        out.println("following the events of all instances; Ctrl-C stops everything");
        out.println();
    }

    /** Returns the rows as lines with aligned columns. */
    private static List<String> table(List<List<String>> rows) {
        List<String> lines = rows.stream().map(row -> "").toList();
        for (int column = 0; column < rows.get(0).size(); column++) {
            int index = column;
            int width =
                    rows.stream().mapToInt(row -> row.get(index).length()).max().orElse(0);
            List<String> left = lines;
            lines = IntStream.range(0, rows.size())
                    .mapToObj(row -> left.get(row)
                            + String.format(
                                    "%-" + (width + 2) + "s", rows.get(row).get(index)))
                    .toList();
        }
        return lines.stream().map(String::stripTrailing).toList();
    }

    /** Shows lines until no instance or server is left, or the output is closed. */
    private int follow() throws InterruptedException {
        while (!cluster.isOver()) {
            out.println(cluster.nextLine());
            if (out.checkError()) {
                return FAILED;
            }
        }
        return FAILED;
    }

    private void stop() {
        if (cluster.hasStarted()) {
            out.println("stopping");
        }
        cluster.close();
        if (cluster.hasStarted()) {
            out.println("stopped");
        }
    }
}
