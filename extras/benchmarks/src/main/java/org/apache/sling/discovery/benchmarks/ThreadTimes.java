// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The times of the threads of a process, as the scheduler of Linux counts them; in milliseconds, since the threads began.
 *
 * @param compiler processor time of the virtual machine's compiler
 * @param others processor time of all other threads
 * @param waited how long the other threads were ready to run and had no processor
 */
record ThreadTimes(double compiler, double others, double waited) {
    static final ThreadTimes NONE = new ThreadTimes(0, 0, 0);

    private static final List<String> COMPILERS = List.of("C1 Compiler", "C2 Compiler");

    /** Reads the times of a process; nothing where the system does not count them. */
    static ThreadTimes of(long process) throws IOException {
        Path tasks = Path.of("/proc", Long.toString(process), "task");
        ThreadTimes sum = NONE;
        if (Files.isDirectory(tasks)) {
            try (Stream<Path> all = Files.list(tasks)) {
                for (Path task : all.toList()) {
                    sum = sum.plus(ofThread(task));
                }
            }
        }
        return sum;
    }

    private static ThreadTimes ofThread(Path task) {
        try {
            String name = Files.readString(task.resolve("comm"));
            String[] nanos = Files.readString(task.resolve("schedstat")).split(" ");
            double ran = Long.parseLong(nanos[0]) / 1e6;
            return COMPILERS.stream().anyMatch(name::startsWith)
                    ? new ThreadTimes(ran, 0, 0)
                    : new ThreadTimes(0, ran, Long.parseLong(nanos[1]) / 1e6);
        } catch (IOException e) {
            // The thread has ended, or the system does not count.
            return NONE;
        }
    }

    private ThreadTimes plus(ThreadTimes other) {
        return new ThreadTimes(compiler + other.compiler, others + other.others, waited + other.waited);
    }

    ThreadTimes since(ThreadTimes before) {
        return new ThreadTimes(compiler - before.compiler, others - before.others, waited - before.waited);
    }
}
