// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos.recorder;

import io.github.discoveryzk.it.chaos.recorder.Entry.Measured;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What must not grow in a process: its threads, what is in use of its heap after a garbage collection, and its open files. */
public final class Measurement {

    /** The usual time between two measurements. */
    public static final long PERIOD_MILLIS = 3_000;

    private Measurement() {}

    /** Measures this process and records the values. */
    public static void record(String process, RecordingFile file) throws IOException {
        System.gc();
        // What is in use now would contain what all threads have reserved since then.
        long bytes = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToLong(pool -> pool.getCollectionUsage().getUsed())
                .sum();
        long at = System.nanoTime();
        file.add(new Measured(process, at, "heap (kB)", bytes / 1024));
        file.add(new Measured(
                process, at, "threads", ManagementFactory.getThreadMXBean().getThreadCount()));
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            file.add(new Measured(process, at, "open files", open.count()));
        }
    }
}
