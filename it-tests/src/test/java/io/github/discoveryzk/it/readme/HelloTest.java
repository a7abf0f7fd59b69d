// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.discoveryzk.testing.server.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first program of the README, compiled as it is shown, joins a cluster. */
class HelloTest {

    private static Class<?> compile(Path folder) throws Exception {
        String program = Files.readString(Path.of("../README.md")).split("```java\n(?=import )|```\n\n## In OSGi")[1];
        Path source = Files.writeString(folder.resolve("Hello.java"), program);
        String path = System.getProperty("java.class.path");
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, "-cp", path, source.toString()))
                .as("the compiler, which has written its errors")
                .isZero();
        return new URLClassLoader(new URL[] {folder.toUri().toURL()}).loadClass("Hello");
    }

    @Test
    void theProgramJoinsTheCluster(@TempDir Path data, @TempDir Path folder) throws Exception {
        Class<?> program = compile(folder);
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        InputStream stdin = System.in;
        PrintStream stdout = System.out;
        try (TestServer server = new TestServer(data)) {
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            System.setIn(new EnterAfter("TOPOLOGY_INIT, leader: true", printed));
            program.getMethod("main", String[].class).invoke(null, (Object) new String[] {server.address(), "hello"});
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
