// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.launcher;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The processes of one launcher; they end with it. Lines to be shown are queued without bound, so that a blocked terminal never
 * delays a listener, and through it the whole cluster.
 *
 * <p>May be closed by any thread at any time: no process is started after that.
 */
final class LocalCluster implements AutoCloseable {

    private static final Duration STOP_LIMIT = Duration.ofSeconds(15);
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration START_LIMIT_EACH = Duration.ofSeconds(10);

    private final PrintStream out;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<ContainerProcess> containers = new ArrayList<>();
    private StateDirectory directory;
    private int ended;
    private boolean closed;

    LocalCluster(PrintStream out) {
        this.out = out;
    }

    /** Starts the instances, with servers in the first ones if none are given; returns when all of them have started. */
    void start(LauncherOptions options) throws LaunchException, InterruptedException {
        Distribution distribution = Distribution.located();
        options.checkPorts();
        options.checkServers();
        Optional<String> servers = prepare(options);
        for (ContainerSettings settings : options.containers(servers)) {
            start(distribution, settings);
        }
        Duration limit = START_LIMIT.plus(START_LIMIT_EACH.multipliedBy(containers.size()));
        for (ContainerProcess container : containers) {
            container.awaitStarted(limit);
            out.println(container.name() + " started");
        }
        show(
                options,
                servers.map(LauncherOptions::forClients).or(options::zookeeper).get());
    }

    /** Locks the state directory, and returns the list of servers that the containers carry; empty if servers are given. */
    private synchronized Optional<String> prepare(LauncherOptions options) throws LaunchException {
        refuseIfClosed();
        directory = StateDirectory.open(options.directory());
        if (options.fresh()) {
            directory.clear();
        }
        return options.servers() == 0 ? Optional.empty() : Optional.of(directory.servers(options.servers()));
    }

    /** Starts an instance; from then on its lines and its end are shown. */
    private synchronized void start(Distribution distribution, ContainerSettings settings) throws LaunchException {
        refuseIfClosed();
        String prefix = settings.name() + " | ";
        ContainerProcess container = ContainerProcess.start(distribution, settings, line -> lines.add(prefix + line));
        containers.add(container);
        container.onExit().thenAccept(code -> reportEnd(prefix, container, code));
        out.println(container.name() + " starting, pid " + container.pid() + ", port " + settings.httpPort());
    }

    private void refuseIfClosed() throws LaunchException {
        if (closed) {
            throw new LaunchException("stopped");
        }
    }

    private void show(LauncherOptions options, String connectString) {
        String user = ContainerProcess.CONSOLE_USER + "/" + ContainerProcess.CONSOLE_USER;
        out.println();
        row("instance", "pid", "console", "user/password", "log");
        for (ContainerProcess container : containers) {
            row(container.name(), container.pid(), container.consoleUri(), user, container.log());
        }
        out.println();
        if (options.zookeeper().isEmpty()) {
            out.println("one more, in another terminal: ./run " + options.oneMore(connectString));
        }
        out.println("following the events of all instances; Ctrl-C stops everything");
        out.println();
    }

    private void row(Object... cells) {
        out.printf("%-12s  %-7s  %-46s  %-13s  %s%n", cells);
    }

    private synchronized void reportEnd(String prefix, ContainerProcess container, int code) {
        ended++;
        if (!closed) {
            lines.add(prefix + "ended with exit code " + code + " (pid " + container.pid() + "), log: "
                    + container.log());
            if (ended == containers.size()) {
                lines.add("no instance is left");
            }
        }
    }

    /** Shows lines until no instance is left, or the output is closed. */
    void follow() throws InterruptedException {
        while (!isOver() && !out.checkError()) {
            out.println(lines.take());
        }
    }

    private synchronized boolean isOver() {
        return ended == containers.size() && lines.isEmpty();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Stops all instances together. */
    @Override
    public void close() {
        List<ContainerProcess> stopping;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            stopping = List.copyOf(containers);
        }
        boolean started = !stopping.isEmpty();
        if (started) {
            out.println("stopping");
        }
        stopping.forEach(ContainerProcess::stop);
        awaitEnd(stopping);
        stopping.forEach(ContainerProcess::close);
        try {
            if (directory != null) {
                directory.close();
            }
        } catch (IOException e) {
            // The lock ends with the process anyway.
            out.println("cannot release the state directory: " + e.getMessage());
        }
        if (started) {
            out.println("stopped");
        }
    }

    /** Waits with one limit for all: a process that is left then, a paused one for example, is killed. */
    private static void awaitEnd(List<ContainerProcess> stopping) {
        CompletableFuture<?>[] ends =
                stopping.stream().map(ContainerProcess::onExit).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(ends).get(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            stopping.forEach(ContainerProcess::kill);
        } catch (InterruptedException e) {
            stopping.forEach(ContainerProcess::kill);
            Thread.currentThread().interrupt();
        }
    }
}
