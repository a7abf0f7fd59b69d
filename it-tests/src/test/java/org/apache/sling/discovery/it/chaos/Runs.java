// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where runs are recorded: below the folder of the build, so that what a failed run has recorded can be looked at. */
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
