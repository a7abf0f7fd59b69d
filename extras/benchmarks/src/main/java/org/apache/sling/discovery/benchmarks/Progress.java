// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.sling.discovery.benchmarks.member.ThreadsAndClocks;

/** Prints what a run does: each step that ends, and at least every ten seconds the one that goes on. Safe for use by several threads. */
@ThreadsAndClocks
final class Progress implements AutoCloseable {
    private static final long SILENCE_MILLIS = 8_000;

    private final PrintStream out;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "progress");
        thread.setDaemon(true);
        return thread;
    });
    private final long start = System.nanoTime();
    private long printed = start;
    private String present = "starting";

    Progress(PrintStream out) {
        this.out = out;
        timer.scheduleAtFixedRate(this::printPresent, 1, 1, TimeUnit.SECONDS);
    }

    /** Names the step that begins; it is printed only if it takes long. */
    synchronized void begin(String step) {
        present = step;
    }

    /** Prints what has ended. */
    synchronized void print(String step) {
        printed = System.nanoTime();
        out.printf(Locale.ROOT, "%5d s  %s%n", TimeUnit.NANOSECONDS.toSeconds(printed - start), step);
        out.flush();
    }

    private synchronized void printPresent() {
        if (System.nanoTime() - printed > TimeUnit.MILLISECONDS.toNanos(SILENCE_MILLIS)) {
            print("... " + present);
        }
    }

    /** Lets time pass. */
    void pause(int seconds) throws InterruptedException, ExecutionException {
        timer.schedule(() -> {}, seconds, TimeUnit.SECONDS).get();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
