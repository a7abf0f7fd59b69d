// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.neighbour;

import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;

/** The one thread that handles all connections to neighbours, shared by the instances of this process. The JDK adds one that waits for them. */
@ThreadsAndClocks
final class SharedThread {

    private static SharedThread shared;
    private static int users;

    final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "discovery-neighbours");
        thread.setDaemon(true);
        thread.setContextClassLoader(SharedThread.class.getClassLoader());
        return thread;
    });

    final AsynchronousChannelGroup channels;

    private SharedThread() throws IOException {
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        // The JDK's thread may still hand over an event of a connection when this one has ended; a refusal would be its
        // uncaught exception.
        executor.setRejectedExecutionHandler(new DiscardPolicy());
        channels = AsynchronousChannelGroup.withThreadPool(executor);
    }

    static synchronized SharedThread acquire() throws IOException {
        if (users == 0) {
            shared = new SharedThread();
        }
        users++;
        return shared;
    }

    /** Ends the thread after the last user, when it has run the tasks before this call. */
    static synchronized void release() {
        users--;
        if (users == 0) {
            AsynchronousChannelGroup last = shared.channels;
            shared.executor.execute(() -> Conversation.close(last::shutdownNow));
        }
    }
}
