// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.launcher;

import java.io.IOException;
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

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<ContainerProcess> containers = new ArrayList<>();
    private StateDirectory directory;
    private EmbeddedZooKeeper zookeeper;
    private int ended;
    private boolean closed;

    /** Locks the state directory. */
    synchronized StateDirectory open(LauncherOptions options) throws LaunchException {
        refuseIfClosed();
        directory = StateDirectory.open(options.directory());
        return directory;
    }

    /** Starts a server in the state directory. */
    synchronized EmbeddedZooKeeper startZooKeeper() throws LaunchException {
        refuseIfClosed();
        zookeeper = EmbeddedZooKeeper.start(directory.zookeeper());
        return zookeeper;
    }

    /** Starts an instance; from then on its lines and its end are shown. */
    synchronized ContainerProcess start(Distribution distribution, ContainerSettings settings) throws LaunchException {
        refuseIfClosed();
        String prefix = settings.name() + " | ";
        ContainerProcess container = ContainerProcess.start(distribution, settings, line -> lines.add(prefix + line));
        containers.add(container);
        container.onExit().thenAccept(code -> reportEnd(prefix, container, code));
        return container;
    }

    private void refuseIfClosed() throws LaunchException {
        if (closed) {
            throw new LaunchException("stopped");
        }
    }

    private synchronized void reportEnd(String prefix, ContainerProcess container, int code) {
        ended++;
        if (!closed) {
            lines.add(prefix + "ended with exit code " + code + " (pid " + container.pid() + "), log: "
                    + container.log());
            if (ended == containers.size()) {
                lines.add(
                        zookeeper == null
                                ? "no instance is left"
                                : "no instance is left; ZooKeeper is still running at " + zookeeper.connectString()
                                        + " until Ctrl-C");
            }
        }
    }

    /** Waits for the next line to show. */
    String nextLine() throws InterruptedException {
        return lines.take();
    }

    /** Tells whether the launcher can end: no instance, no server that others may use, and no line is left. */
    synchronized boolean isOver() {
        return zookeeper == null && ended == containers.size() && lines.isEmpty();
    }

    /** Tells whether anything was started. */
    synchronized boolean hasStarted() {
        return zookeeper != null || !containers.isEmpty();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Stops all instances at once, then the server that they need for leaving. */
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
        stopping.forEach(ContainerProcess::stop);
        awaitEnd(stopping);
        stopping.forEach(ContainerProcess::close);
        Optional.ofNullable(zookeeper).ifPresent(EmbeddedZooKeeper::close);
        try {
            if (directory != null) {
                directory.close();
            }
        } catch (IOException e) {
            // The lock ends with the process anyway.
            lines.add("cannot release the state directory: " + e.getMessage());
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
