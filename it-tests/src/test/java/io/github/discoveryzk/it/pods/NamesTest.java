// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.containers.Document;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of the document lets a JVM forget names soon. */
class NamesTest {

    /** What a JVM is started for that says how long it remembers names. */
    static final class Answer {
        public static void main(String[] arguments) {
            System.out.print(Security.getProperty("networkaddress.cache.ttl") + " "
                    + Security.getProperty("networkaddress.cache.negative.ttl"));
        }
    }

    @Test
    void theFileOfTheDocumentCounts(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(
                folder.resolve("names.properties"), Document.block("docs/servers.md", "networkaddress.cache"));
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.security.properties=" + file,
                        "-cp",
                        "target/test-classes",
                        Answer.class.getName())
                .start();
        assertThat(new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("1 1");
    }
}
