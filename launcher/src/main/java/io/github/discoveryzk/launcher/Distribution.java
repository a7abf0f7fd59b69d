// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.launcher;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.osgi.framework.launch.FrameworkFactory;

/**
 * The distribution that the build assembles: a folder with {@code lib}, the class path of the launcher, and {@code bundles},
 * the bundles of each container. Immutable.
 *
 * @param home the folder
 */
public record Distribution(Path home) {

    /**
     * Finds the distribution that this class was loaded from.
     *
     * @throws LaunchException if this class was not loaded from a distribution
     */
    public static Distribution located() throws LaunchException {
        Path jar = source(Distribution.class);
        Path home = jar.resolveSibling("..").normalize();
        if (!Files.isDirectory(home.resolve("bundles"))) {
            throw new LaunchException("there is no folder " + home.resolve("bundles")
                    + " next to the launcher: build it with 'mvn package'");
        }
        return new Distribution(home);
    }

    /** Returns the folder of the bundles. */
    Path bundles() {
        return home.resolve("bundles");
    }

    /** Returns the class path of a container: this code and the framework, and nothing that could conflict with a bundle. */
    static String containerClassPath() {
        return Stream.of(Container.class, FrameworkFactory.class)
                .map(Distribution::source)
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Returns the Java command that this process was started with. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static Path source(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
