// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The running system as Linux shows it to its processes in {@code /proc}, which is in memory. Elsewhere nothing is known.
 *
 * @param proc the folder with an entry for each process
 * @param self the id of this process
 */
public record Machine(Path proc, long self) {

    /** The system in which this process runs. */
    public static final Machine THIS =
            new Machine(Path.of("/proc"), ProcessHandle.current().pid());

    private static final int FIELDS_BEFORE_START = 19;

    /** Identifies the system since its last boot, and the namespace of the process ids; empty if {@code /proc} does not show this process. */
    public Optional<String> id() {
        try {
            String boot = Files.readString(proc.resolve("sys/kernel/random/boot_id"));
            Path namespace = Files.readSymbolicLink(proc.resolve("self/ns/pid"));
            String shown = Files.readSymbolicLink(proc.resolve("self")).toString();
            return Optional.of(boot.trim() + " " + namespace).filter(id -> shown.equals(String.valueOf(self)));
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty();
        }
    }

    /** Names a process by its id and the time of its start, in ticks since the boot; empty if that cannot be read. */
    public Optional<String> process(long pid) {
        try {
            return Optional.of(read(pid));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns whether a process has ended for sure. Unlike start times of the JDK ticks do not depend on the wall clock, and a file that
     * cannot be opened for lack of file descriptors does not count as an end.
     *
     * @param process what {@link #process} returned while it lived; any other text is that of no process that has ended
     */
    public boolean hasEnded(String process) {
        try {
            return !read(Long.parseLong(process.split("/")[0])).equals(process);
        } catch (NoSuchFileException e) {
            return process(self).isPresent();
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    private String read(long pid) throws IOException {
        String stat = Files.readString(proc.resolve(pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return pid + "/" + fields[FIELDS_BEFORE_START];
    }
}
