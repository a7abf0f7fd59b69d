// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.containers;

import io.github.discoveryzk.it.outside.Limit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A container with a web console and our bundles, as its operator reaches it. */
interface TestedContainer extends AutoCloseable {

    /** The name of its only console user, and the password. */
    String USER = "admin";

    /** Returns the address of the console, without a slash at the end. */
    URI console();

    /** Returns the name of the cluster that it is a member of. */
    String cluster();

    /** Returns its instance id. */
    String id();

    /** Returns the file of its log, which it may not have made yet. */
    Path logFile();

    /** Returns the lines of its log. */
    default List<String> log() {
        try {
            return Files.exists(logFile()) ? Files.readAllLines(logFile()) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    void close();

    /** Ends a process, if necessary by force. */
    static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(Limit.millis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
