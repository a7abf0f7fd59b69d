// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Maven can install and deploy each module: it refuses one without a main artifact, unless that is a {@code pom}. */
class PackagingTest {

    private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();

    @ParameterizedTest
    @MethodSource("poms")
    void eachModuleCanBeInstalled(Path pom) throws IOException {
        String[] packaging = Files.readString(pom).split("</?packaging>");
        assertThat(packaging.length > 1 ? packaging[1] : "jar").isIn(Set.of("jar", "pom"));
    }

    static Stream<Path> poms() throws IOException {
        try (Stream<Path> files = Files.find(PROJECT, 3, (file, any) -> file.endsWith("pom.xml"))) {
            return files.toList().stream();
        }
    }
}
