// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.data;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tasks in their order, one at a time, and another one after all that wait at a time. Thread-safe; no lock is held while they run. */
final class Batches {

    private static final Logger LOG = LoggerFactory.getLogger(Batches.class);

    private final Executor executor;
    private final Runnable last;
    private List<Runnable> waiting = new ArrayList<>();
    private boolean busy;

    Batches(Executor executor, Runnable last) {
        this.executor = executor;
        this.last = last;
    }

    void run(Runnable task) {
        synchronized (this) {
            waiting.add(task);
            if (busy) {
                return;
            }
            busy = true;
        }
        executor.execute(this::process);
    }

    private void process() {
        for (List<Runnable> batch = take(); !batch.isEmpty(); batch = take()) {
            batch.forEach(Batches::attempt);
            attempt(last);
        }
    }

    private synchronized List<Runnable> take() {
        List<Runnable> taken = waiting;
        waiting = new ArrayList<>();
        busy = !taken.isEmpty();
        return taken;
    }

    private static void attempt(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("Shared data could not be processed", e);
        }
    }
}
