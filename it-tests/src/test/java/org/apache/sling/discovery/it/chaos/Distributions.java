// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.sling.discovery.launcher.Distribution;

/** The distributions of the containers of a run. */
final class Distributions {

    /** A folder with bundles of another version of discovery, with which one container of a run is started. */
    private static final String OTHER_VERSION = "chaos.other.version";

    /** The bundles of discovery that a container needs; their files begin like this. */
    private static final List<String> OWN =
            List.of("discovery-api", "discovery-base", "discovery-commons", "discovery-zk");

    /** The other bundles that it needs; a console would only delay its start. */
    private static final List<String> OTHERS = List.of(
            "org.apache.felix.configadmin",
            "org.apache.felix.metatype",
            "org.apache.felix.scr",
            "org.osgi.",
            "pax-logging-");

    private Distributions() {}

    /** Returns the distribution that the build has assembled. */
    static Distribution whole() {
        return new Distribution(Path.of(System.getProperty("discovery.distribution")));
    }

    /** Returns the folder with the bundles of another version, if the run has one. */
    static Optional<Path> otherVersion() {
        return Optional.ofNullable(System.getProperty(OTHER_VERSION))
                .filter(name -> !name.isBlank())
                .map(Path::of);
    }

    /** Copies the needed bundles into a folder; the bundles of discovery come from another version, if one is given. */
    static Distribution bare(Path folder, Optional<Path> otherVersion) throws IOException {
        Path bundles = Files.createDirectories(folder.resolve("bundles"));
        Path build = whole().home().resolve("bundles");
        copy(build, OTHERS, bundles);
        copy(otherVersion.orElse(build), OWN, bundles);
        return new Distribution(folder);
    }

    private static void copy(Path from, List<String> names, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".jar") && names.stream().anyMatch(name::startsWith)) {
                    Files.copy(file, to.resolve(name));
                }
            }
        }
    }
}
