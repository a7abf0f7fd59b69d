// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The file with the process id of a container.
 *
 * @param path where it is
 */
record PidFile(Path path) {
    private static final Duration PREDECESSOR_LIMIT = Duration.ofSeconds(15);

    /** Returns the file of the container with that working directory. */
    static PidFile in(Path directory) {
        return new PidFile(directory.resolve("pid"));
    }

    void write(long pid) throws IOException {
        Files.writeString(path, pid + "\n");
    }

    /**
     * Waits for an earlier process, which may still be leaving because its launcher was killed a moment ago.
     *
     * @param name the name of the instance
     * @param argument an argument that no other process has
     * @throws LaunchException if it does not end
     */
    void awaitPredecessor(String name, Path argument) throws LaunchException {
        try {
            Optional<ProcessHandle> predecessor = Files.exists(path)
                    ? ProcessHandle.of(read()).filter(handle -> has(handle, argument))
                    : Optional.empty();
            if (predecessor.isPresent()) {
                predecessor.get().onExit().get(PREDECESSOR_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            }
            Files.deleteIfExists(path);
        } catch (TimeoutException e) {
            throw new LaunchException(name + " is still running from an earlier start: end the process named in " + path
                    + ", or choose another --dir");
        } catch (NumberFormatException | IOException | ExecutionException e) {
            throw new LaunchException("cannot read a process id from " + path + ": remove it", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LaunchException("interrupted while waiting for an earlier " + name + " to end");
        }
    }

    private long read() throws IOException {
        return Long.parseLong(Files.readString(path).trim());
    }

    private static boolean has(ProcessHandle handle, Path argument) {
        return handle.info().arguments().map(List::of).orElse(List.of()).contains(argument.toString());
    }

    /**
     * Deletes the file of a process that has ended, because the system may give a stale id to another one. A container that ended
     * by itself has deleted it already.
     */
    void delete(long pid) {
        try {
            if (Files.exists(path) && read() == pid) {
                Files.delete(path);
            }
        } catch (IOException e) {
            // The next start reads the id, and finds no such process.
        }
    }
}
