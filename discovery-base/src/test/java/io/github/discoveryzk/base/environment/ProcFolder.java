// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A folder in place of {@code /proc}, in which a test says which processes there are.
 *
 * @param path where it is
 */
public record ProcFolder(Path path) {

    /** The process whose folder this is. */
    public static final long SELF = 4_711;

    /** Makes a folder that shows its own process in a namespace. */
    public static ProcFolder in(Path directory, String boot, String namespace) throws IOException {
        ProcFolder made = new ProcFolder(Files.createTempDirectory(directory, "proc"));
        Files.createDirectories(made.path.resolve("sys/kernel/random"));
        Files.writeString(made.path.resolve("sys/kernel/random/boot_id"), boot + "\n");
        made.show(SELF, namespace);
        return made;
    }

    /** Says which process reads it, in which namespace. */
    public void show(long pid, String namespace) throws IOException {
        start(pid, 1);
        Files.createDirectory(path.resolve(pid + "/ns"));
        Files.createSymbolicLink(path.resolve(pid + "/ns/pid"), Path.of("pid:[" + namespace + "]"));
        Files.deleteIfExists(path.resolve("self"));
        Files.createSymbolicLink(path.resolve("self"), Path.of(Long.toString(pid)));
    }

    /** Adds a process, or replaces it by one that was started at another time. */
    public void start(long pid, long ticks) throws IOException {
        Files.createDirectories(path.resolve(Long.toString(pid)));
        Files.writeString(path.resolve(pid + "/stat"), pid + " (a) b) S" + " 0".repeat(18) + " " + ticks + " 0\n");
    }

    /** Removes a process. */
    public void end(long pid) throws IOException {
        Files.delete(path.resolve(pid + "/stat"));
    }

    public Machine machine() {
        return new Machine(path, SELF);
    }
}
