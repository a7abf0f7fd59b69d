// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.launcher;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * The command: starts a cluster, shows its addresses and the events of its listeners, and stops it on request.
 *
 * <p>Progress and events go to standard output, one line each. A failed start is one line on standard error, and an exit code
 * other than 0.
 */
@ThreadsAndClocks
public final class Launcher {

    private static final String SHELL = "shell";
    private static final int WRONG_OPTION = 2;
    private static final int FAILED = 1;
    private static final int REACH_LIMIT_MILLIS = 3_000;
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration START_LIMIT_EACH = Duration.ofSeconds(10);

    private final LocalCluster cluster;
    private final PrintStream out;
    private final PrintStream err;

    Launcher(LocalCluster cluster, PrintStream out, PrintStream err) {
        this.cluster = Objects.requireNonNull(cluster, "cluster");
        this.out = Objects.requireNonNull(out, "out");
        this.err = Objects.requireNonNull(err, "err");
    }

    /**
     * Runs the command and ends the process.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals(SHELL)) {
            System.exit(shell(Arrays.copyOfRange(arguments, 1, arguments.length)));
        }
        LocalCluster cluster = new LocalCluster();
        Launcher launcher = new Launcher(cluster, System.out, System.err);
        Runtime.getRuntime().addShutdownHook(new Thread(launcher::stop, "launcher-stop"));
        System.exit(launcher.run(arguments));
    }

    /** Returns the exit code when the session or the command has ended. */
    private static int shell(String... arguments) {
        ShellOptions options = new ShellOptions();
        // Options after the number belong to the command.
        CommandLine parser = new CommandLine(options).setStopAtPositional(true);
        try {
            if (parser.parseArgs(arguments).isUsageHelpRequested()) {
                parser.usage(System.out);
                return 0;
            }
            return new ShellClient(System.in, System.out, System.err).run(options.directory(), options.command());
        } catch (ParameterException e) {
            System.err.println(
                    "run: " + e.getMessage().replaceAll("\\s+", " ") + " (./run shell --help lists the options)");
            return WRONG_OPTION;
        } catch (LaunchException e) {
            System.err.println("run: " + e.getMessage());
            return FAILED;
        }
    }

    /** Returns the exit code when no instance or server is left, or when the start failed. */
    int run(String... arguments) {
        LauncherOptions options = new LauncherOptions();
        CommandLine parser = new CommandLine(options);
        try {
            if (parser.parseArgs(arguments).isUsageHelpRequested()) {
                parser.usage(out);
                return 0;
            }
            options.check();
        } catch (ParameterException | LaunchException e) {
            return fail(e.getMessage().replaceAll("\\s+", " ") + " (./run --help lists the options)", WRONG_OPTION);
        }
        try {
            start(options);
            return follow();
        } catch (LaunchException e) {
            return cluster.isClosed() ? 0 : fail(e.getMessage(), FAILED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return FAILED;
        }
    }

    private int fail(String message, int code) {
        err.println("run: " + message);
        return code;
    }

    private void start(LauncherOptions options) throws LaunchException, InterruptedException {
        Distribution distribution = Distribution.located();
        checkPorts(options);
        if (options.zookeeper().isPresent()) {
            // ZooKeeper's command client logs each connection, which is noise before the addresses of the consoles.
            System.setProperty("org.slf4j.simpleLogger.log.org.apache.zookeeper.client", "warn");
            ConnectString.parse(options.zookeeper().get()).check(REACH_LIMIT_MILLIS);
        }
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

    private static void checkPorts(LauncherOptions options) throws LaunchException {
        List<Integer> busy = IntStream.range(options.port(), options.port() + options.instances())
                .filter(port -> !Ports.isFree(port))
                .boxed()
                .toList();
        if (!busy.isEmpty()) {
            throw new LaunchException("port "
                    + busy.stream().map(String::valueOf).collect(Collectors.joining(", ")) + " of " + Ports.HOST
                    + " is in use: stop the process that listens there, or choose another first port with --port");
        }
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
        out.println("one more, in another terminal: ./run --zookeeper " + connectString + " -n 1 --port "
                + (options.port() + options.instances()) + " --dir target/one-more --property sling.name=instance-"
                + (options.instances() + 1)
                + options.cluster().map(name -> " --cluster " + name).orElse("")
                + options.sessionTimeoutMillis()
                        .map(millis -> " --session-timeout " + millis)
                        .orElse(""));
        out.println("a shell of the first, in another terminal: ./run shell "
                + (options.isDefaultDirectory() ? "" : "--dir " + options.directory() + " ") + "1");
        out.println("following the events of all instances; Ctrl-C stops everything");
        out.println();
    }

    /** Returns the rows as lines with aligned columns. */
    static List<String> table(List<List<String>> rows) {
        int columns = rows.get(0).size();
        int[] widths = IntStream.range(0, columns)
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return rows.stream()
                .map(row -> IntStream.range(0, columns)
                        .mapToObj(column -> row.get(column)
                                + " ".repeat(widths[column] - row.get(column).length()))
                        .collect(Collectors.joining("  "))
                        .stripTrailing())
                .toList();
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
