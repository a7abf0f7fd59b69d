// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folders of recorded runs: below the folder of the build, so that failed runs can be inspected. */
final class Runs {

    private static final Path ROOT = Path.of(System.getProperty("chaos.directory", "target/chaos"));

    private Runs() {}

    static Path root() throws IOException {
        return Files.createDirectories(ROOT.toAbsolutePath());
    }

    /** Makes a new folder for a run. */
    static Path folder(Class<?> test) throws IOException {
        return Files.createTempDirectory(root(), test.getSimpleName() + "-");
    }
}
