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
 * What one launcher has started: it ends with it. Lines to be shown are queued without bound, so that a screen that has
 * been held up never holds up a listener, and through it a whole cluster.
 *
 * <p>May be closed by any thread at any time: nothing is started after that.
 */
final class LocalCluster implements AutoCloseable {

    private static final Duration STOP_LIMIT = Duration.ofSeconds(15);

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<ContainerProcess> containers = new ArrayList<>();
    private StateDirectory directory;
    private EmbeddedZooKeeper zookeeper;
    private int ended;
    private boolean closed;

    /** Takes the folder of the state. */
    synchronized StateDirectory open(LauncherOptions options) throws LaunchException {
        refuseIfClosed();
        directory = StateDirectory.open(options.directory());
        return directory;
    }

    /** Starts a server on the folder of the state. */
    synchronized EmbeddedZooKeeper startZooKeeper() throws LaunchException {
        refuseIfClosed();
        zookeeper = EmbeddedZooKeeper.start(directory.zookeeper());
        return zookeeper;
    }

    /** Starts an instance, whose lines and whose end are shown from then on. */
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
                                : "no instance is left; ZooKeeper goes on at " + zookeeper.connectString()
                                        + " until Ctrl-C");
            }
        }
    }

    /** Waits for the next line to show. */
    String nextLine() throws InterruptedException {
        return lines.take();
    }

    /** Tells whether there is nothing left to wait for: neither an instance, nor a server that others may use, nor a line. */
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

    /** Stops all instances at once, then the server that they say goodbye to. */
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
            lines.add("cannot release the folder of the state: " + e.getMessage());
        }
    }

    /** One limit for all: whoever is left then, a paused process for example, is killed. */
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
