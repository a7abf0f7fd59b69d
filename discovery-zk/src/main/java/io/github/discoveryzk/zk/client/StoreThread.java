// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.client;

import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread of a store. It runs tasks one after the other, in the order in which they were submitted. */
@ThreadsAndClocks
public final class StoreThread implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(StoreThread.class);

    private final ScheduledThreadPoolExecutor executor;
    private volatile Thread thread;

    public StoreThread(String name) {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, name);
            made.setDaemon(true);
            // Login modules are found through the context class loader, which the client's threads inherit.
            made.setContextClassLoader(StoreThread.class.getClassLoader());
            thread = made;
            return made;
        });
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setRemoveOnCancelPolicy(true);
    }

    /** Runs a task later; drops it when the thread has ended. */
    @Override
    public void execute(Runnable task) {
        try {
            executor.execute(() -> run(task));
        } catch (RejectedExecutionException e) {
            LOG.trace("Dropped a task after the end", e);
        }
    }

    /** Runs a task after a while, unless the thread has ended by then. */
    public void schedule(long millis, Runnable task) {
        try {
            executor.schedule(() -> run(task), millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.trace("Dropped a task after the end", e);
        }
    }

    /** Returns monotonic milliseconds. */
    long millis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    /** Runs the tasks that were submitted before, and no others; waits for them unless called on the thread itself. */
    public void shutDown(long millis) {
        executor.shutdown();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            if (!executor.awaitTermination(millis, TimeUnit.MILLISECONDS)) {
                LOG.warn(
                        "The connection to ZooKeeper did not close within {} ms; its session is left to expire.",
                        millis);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) { // The thread goes on after any failure, because the whole store depends on it.
            LOG.error("Unexpected failure in the ZooKeeper store", e);
        }
    }
}
