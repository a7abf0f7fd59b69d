// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/** Runs each task on a thread of its own, as an executor that is never busy, and waits for the end of all. */
public final class Crew implements Executor {

    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();

    @Override
    public void execute(Runnable task) {
        Thread thread = new Thread(task);
        threads.add(thread);
        thread.start();
    }

    /** Waits for the end of all tasks, and of those that they have begun. */
    public void join() {
        for (Thread thread = threads.poll(); thread != null; thread = threads.poll()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
