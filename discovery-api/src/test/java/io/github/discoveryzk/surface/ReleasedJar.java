// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.surface;

import java.nio.file.Files;
import java.nio.file.Path;

/** The released artifacts that the build provides for comparison. They are on no class path. */
public final class ReleasedJar {

    private ReleasedJar() {}

    /** Returns the jar whose path the build passes in a system property. */
    public static Path jar(String property) {
        String path = System.getProperty(property);
        if (path == null || !Files.isRegularFile(Path.of(path))) {
            throw new IllegalStateException("the system property " + property + " must name the released jar, but is "
                    + path + "; see the dependency plugin in pom.xml");
        }
        return Path.of(path);
    }
}
