// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Finds errors in the logs of processes. */
final class Logs {
    private static final String ERROR = " ERROR ";

    /** What a server says when the benchmark, which reads its counters, closes the connection first. */
    private static final String OWN_COMMAND = "Error closing a command socket";

    private Logs() {}

    /** Returns all lines of the level ERROR in the logs below a folder, but for those that measuring causes. */
    static List<String> errors(Path folder) throws IOException {
        List<String> errors = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path log : files.filter(file -> file.toString().endsWith(".log"))
                    .filter(Files::isRegularFile)
                    .toList()) {
                try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
                    lines.filter(line -> line.contains(ERROR) && !line.contains(OWN_COMMAND))
                            .forEach(line -> errors.add(log.getFileName() + ": " + line));
                }
            }
        }
        return errors;
    }
}
