// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.sling.discovery.testing.server.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first program of the README compiles as it is shown, and joins a cluster. */
class HelloTest {

    private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();

    private static String spaced(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }

    @Test
    void theProgramIsShownAsItIs() throws IOException {
        String source = Files.readString(
                PROJECT.resolve("it-tests/src/test/java/org/apache/sling/discovery/it/readme/Hello.java"));
        String shown = "```java\n" + source.substring(source.indexOf("import ")) + "```";
        assertThat(spaced(Files.readString(PROJECT.resolve("README.md")))).contains(spaced(shown));
    }

    @Test
    void theProgramJoinsTheCluster(@TempDir Path data) throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        InputStream stdin = System.in;
        PrintStream stdout = System.out;
        try (TestServer server = new TestServer(data)) {
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            System.setIn(new EnterAfter("TOPOLOGY_INIT, leader: true", printed));
            Hello.main(new String[] {server.address(), "hello"});
        } finally {
            System.setIn(stdin);
            System.setOut(stdout);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("TOPOLOGY_INIT, leader: true");
    }

    /** Returns Enter when the program has printed a text. */
    private static final class EnterAfter extends InputStream {
        private final String text;
        private final ByteArrayOutputStream printed;

        private EnterAfter(String text, ByteArrayOutputStream printed) {
            this.text = text;
            this.printed = printed;
        }

        @Override
        public int read() {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> printed.toString(StandardCharsets.UTF_8).contains(text));
            return '\n';
        }
    }
}
