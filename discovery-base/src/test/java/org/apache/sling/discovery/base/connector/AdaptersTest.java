// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The two adapters have the same source, so a test of one is a test of both. */
class AdaptersTest {
    private static final Path SOURCES = Path.of("src/main/java/org/apache/sling/discovery/base/connector");

    /** What only one of them has. */
    private static final Set<String> OWN = Set.of("package-info.java", "HttpServiceAlias.java");

    @Test
    void theAdaptersDifferInTheServletApiOnly() throws IOException {
        assertThat(sources("jakarta")).hasSize(1).isEqualTo(sources("javax"));
    }

    /** Returns the lines of each class in alphabetical order, because the API decides the order of the imports. */
    private static Map<String, List<String>> sources(String line) throws IOException {
        Map<String, List<String>> sources = new TreeMap<>();
        try (Stream<Path> files = Files.list(SOURCES.resolve(line))) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (!OWN.contains(name)) {
                    sources.put(
                            name,
                            Files.readAllLines(file).stream()
                                    .map(each -> each.replaceAll("\\b" + line + "\\b", "servlets"))
                                    .map(each ->
                                            each.replaceAll("service\\.(http|servlet)\\.context", "service.context"))
                                    .sorted()
                                    .toList());
                }
            }
        }
        return sources;
    }
}
