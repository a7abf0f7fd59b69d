// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread on which a store lives: it runs what it is given one after the other, in the order given. */
@ThreadsAndClocks
public final class StoreThread implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(StoreThread.class);

    private final ScheduledThreadPoolExecutor executor;
    private volatile Thread thread;

    public StoreThread(String name) {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, name);
            made.setDaemon(true);
            // Login modules are found through the context class loader, which the client's threads inherit from this
            // one.
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

    /** Runs what was given before, and nothing any more; waits for it unless called on the thread itself. */
    public void shutDown(long millis) {
        executor.shutdown();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            if (!executor.awaitTermination(millis, TimeUnit.MILLISECONDS)) {
                LOG.warn("The connection to ZooKeeper did not close within {} ms; it is left to itself.", millis);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) { // Whatever it is, the thread that everything depends on goes on.
            LOG.error("Unexpected failure in the ZooKeeper store", e);
        }
    }
}
