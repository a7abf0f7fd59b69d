// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The running system as Linux shows it to its processes. Elsewhere nothing is known. All reads are of {@code /proc}, which is in memory.
 */
public final class Machine {

    private static final Path PROC = Path.of("/proc");
    private static final int FIELDS_BEFORE_START = 19;

    private Machine() {}

    /**
     * Identifies the running system since its last boot, together with namespaces of this process. It is empty if {@code /proc} does not
     * show the process ids of this process.
     *
     * @param namespaces as in {@code /proc/self/ns}
     */
    public static Optional<String> id(String... namespaces) {
        try {
            StringBuilder id = new StringBuilder(
                    Files.readString(PROC.resolve("sys/kernel/random/boot_id")).trim());
            for (String namespace : namespaces) {
                id.append(' ').append(Files.readSymbolicLink(PROC.resolve("self/ns/" + namespace)));
            }
            String self = Files.readSymbolicLink(PROC.resolve("self")).toString();
            return Optional.of(id.toString())
                    .filter(all ->
                            self.equals(String.valueOf(ProcessHandle.current().pid())));
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty();
        }
    }

    /** Returns when a process was started, in ticks since the boot; empty if that cannot be read. */
    public static Optional<String> startOf(long pid) {
        try {
            return Optional.of(readStart(pid));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns whether a process has ended for sure. Unlike start times of the JDK ticks do not depend on the wall clock, and a file that
     * cannot be opened for lack of file descriptors does not count as an end.
     *
     * @param start what {@link #startOf} returned while the process lived; another one now is that of another process with the same id
     */
    public static boolean hasEnded(long pid, String start) {
        try {
            return !readStart(pid).equals(start);
        } catch (NoSuchFileException e) {
            return startOf(ProcessHandle.current().pid()).isPresent();
        } catch (IOException e) {
            return false;
        }
    }

    private static String readStart(long pid) throws IOException {
        String stat = Files.readString(PROC.resolve(pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        if (fields.length <= FIELDS_BEFORE_START) {
            throw new IOException("unknown format of " + stat);
        }
        return fields[FIELDS_BEFORE_START];
    }
}
