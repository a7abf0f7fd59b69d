// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of the connectors of an instance. They are daemons, and their names begin with {@code discovery-<id>-connectors-}. In
 * addition the JDK's HTTP client has one thread, which it names itself and which ends with the client.
 *
 * @param timer one thread, which runs the connectors and ends exchanges that take too long; nothing on it blocks
 * @param exchanges a few threads, which write, read and verify messages and may wait for a name service
 */
@ThreadsAndClocks
record ConnectorThreads(ScheduledExecutorService timer, ExecutorService exchanges) implements AutoCloseable {
    private static final int EXCHANGES = 4;
    private static final long IDLE_SECONDS = 60;

    /** Makes the threads of an instance; those of exchanges begin when they are needed. */
    static ConnectorThreads of(String instanceId) {
        AtomicInteger count = new AtomicInteger();
        ThreadFactory factory = task -> {
            Thread thread = new Thread(task, "discovery-" + instanceId + "-connectors-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, factory);
        timer.setRemoveOnCancelPolicy(true);
        ThreadPoolExecutor exchanges = new ThreadPoolExecutor(
                EXCHANGES, EXCHANGES, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        exchanges.allowCoreThreadTimeOut(true);
        return new ConnectorThreads(timer, exchanges);
    }

    /** Ends the threads. */
    @Override
    public void close() {
        timer.shutdownNow();
        exchanges.shutdownNow();
    }
}
