// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Maven can install and deploy each module, and README promises what is tested. */
class PackagingTest {

    private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();

    /** Maven refuses a module without a main artifact, unless that is a {@code pom}. */
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

    @Test
    void readmeNamesTheServersOfTheTests() {
        String[] servers = Pattern.compile("<zookeeper\\.(?:\\d+\\.)?version>(.*)<")
                .matcher(read(PROJECT.resolve("pom.xml")))
                .results()
                .map(version -> version.group(1))
                .sorted()
                .toArray(String[]::new);
        assertThat(readme()).contains("tested with %s, %s and %s;".formatted((Object[]) servers));
    }

    @Test
    void readmeNamesTheReleasesOfJavaOfTheTests() {
        String[] releases = Stream.of("pom.xml", ".ci/run")
                .map(PROJECT::resolve)
                .map(PackagingTest::read)
                .map(Pattern.compile("(?m)(?:<maven\\.compiler\\.release>|^newer=)(\\d+)")::matcher)
                .map(found -> found.find() ? found.group(1) : "")
                .toArray(String[]::new);
        assertThat(readme()).contains("tested with %s and %s;".formatted((Object[]) releases));
    }

    private static String readme() {
        return read(PROJECT.resolve("README.md"));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
