// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Makes folders for data, and deletes them. */
final class Folders {
    private static final Set<Path> TEMPORARY = ConcurrentHashMap.newKeySet();

    private Folders() {}

    static Path temporary(Path parent) throws IOException {
        Path folder = Files.createTempDirectory(Files.createDirectories(parent), "data");
        TEMPORARY.add(folder);
        return folder;
    }

    static void delete(Path folder) throws IOException {
        TEMPORARY.remove(folder);
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }

    /** Deletes all temporary folders that have not been deleted yet. */
    static void deleteTemporary() throws IOException {
        for (Path folder : List.copyOf(TEMPORARY)) {
            delete(folder);
        }
    }
}
