// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks;

import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Prints the steps of a run, with the seconds since its start. */
@ThreadsAndClocks
final class Progress {
    private final PrintStream out;
    private final long start = System.nanoTime();

    Progress(PrintStream out) {
        this.out = out;
    }

    void print(String step) {
        out.printf(Locale.ROOT, "%5d s  %s%n", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start), step);
        out.flush();
    }

    /** Lets time pass. */
    static void pause(int seconds) {
        new CompletableFuture<>()
                .completeOnTimeout(null, seconds, TimeUnit.SECONDS)
                .join();
    }
}
