// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.environment;

import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The clocks and threads that an instance runs on.
 *
 * @param time the clocks
 * @param decisions one thread, which makes all decisions
 * @param calls runs the calls of listeners and property providers; has a thread for each that does not return
 * @param end ends the threads that were created for this object
 */
@ThreadsAndClocks
public record Execution(Time time, ScheduledExecutorService decisions, Executor calls, Runnable end)
        implements AutoCloseable {

    public Execution {
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(decisions, "decisions");
        Objects.requireNonNull(calls, "calls");
        Objects.requireNonNull(end, "end");
    }

    /** Returns new daemon threads with the clocks of this machine; the caller closes them after the instance. */
    public static Execution ofThreads(String instanceId) {
        ScheduledExecutorService decisions =
                Executors.newSingleThreadScheduledExecutor(named("discovery-" + instanceId + "-decisions"));
        ExecutorService calls = Executors.newCachedThreadPool(named("discovery-" + instanceId + "-calls"));
        return new Execution(Time.SYSTEM, decisions, calls, () -> {
            decisions.shutdownNow();
            // Running listeners are not interrupted: they may be in the middle of a piece of work.
            calls.shutdown();
        });
    }

    private static ThreadFactory named(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Ends the threads, if they were made by {@link #ofThreads}. */
    @Override
    public void close() {
        end.run();
    }
}
