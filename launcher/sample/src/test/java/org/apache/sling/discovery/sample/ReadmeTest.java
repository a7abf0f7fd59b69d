// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The code in the documentation is the code that is tested here. */
class ReadmeTest {

    private static final Path SOURCES = Path.of("src/main/java/org/apache/sling/discovery/sample");

    private static String spaced(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }

    @Test
    void theStoreIsShownAsItIs() throws IOException {
        List<String> shown = Arrays.stream(
                        Files.readString(Path.of("../../README.md")).split("```"))
                .filter(block -> block.contains("StaleTokenException"))
                .map(block -> spaced(block.substring("java".length())))
                .toList();
        assertThat(shown).singleElement().satisfies(method -> assertThat(
                        spaced(Files.readString(SOURCES.resolve("FencedStore.java"))))
                .contains(method));
    }
}
