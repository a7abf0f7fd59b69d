// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.github.discoveryzk.sample.FencedStore.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class FencedStoreTest {

    @TempDir
    Path directory;

    private Path file;
    private FencedStore store;

    @BeforeEach
    void make() {
        file = directory.resolve("store");
        store = new FencedStore(file);
    }

    @Test
    void keepsWhatTheLeaderWrites() throws IOException {
        assertThat(store.read()).isEmpty();
        store.write(7, "one\ntwo");
        assertThat(store.read()).contains(new Entry(7, "one\ntwo"));
        store.write(7, "");
        assertThat(store.read()).contains(new Entry(7, ""));
    }

    @Test
    void refusesAStaleTokenAndNamesBoth() throws IOException {
        new FencedStore(file).write(8, "of the later leader");
        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> store.write(7, "of the earlier leader"))
                .withMessageContaining("token 7")
                .withMessageContaining("token 8");
        assertThat(store.read()).contains(new Entry(8, "of the later leader"));
    }

    @Test
    void doesNotTouchAFileOfSomethingElse() throws IOException {
        for (String content : List.of("", "hello", "hello\nworld")) {
            Files.writeString(file, content);
            assertThatIOException().isThrownBy(() -> store.write(1, "x")).withMessageContaining(file.toString());
            assertThat(file).hasContent(content);
        }
    }

    /** The greatest token remains, in any order of the writes. */
    @Test
    @Timeout(60)
    void manyWritersImmediatelyLeaveTheGreatestToken() {
        IntStream.rangeClosed(1, 200).parallel().forEach(token -> {
            try {
                new FencedStore(file).write(token, "by " + token);
            } catch (StaleTokenException e) {
                // A writer with a greater token was faster.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertThat(file).hasContent("200\nby 200");
    }

    /** Writes from a separate process. */
    @Test
    @Timeout(60)
    void isSharedByProcesses() throws Exception {
        store.write(7, "here");
        assertThat(writeElsewhere(8)).isZero();
        assertThat(store.read()).contains(new Entry(8, "elsewhere"));
        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> store.write(7, "late"));
        store.write(9, "here again");
        assertThat(writeElsewhere(8)).isNotZero();
        assertThat(store.read()).contains(new Entry(9, "here again"));
    }

    private int writeElsewhere(long token) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Elsewhere.class.getName(),
                        file.toString(),
                        String.valueOf(token))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        try {
            assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    /** The other process. */
    static final class Elsewhere {

        private Elsewhere() {}

        public static void main(String[] arguments) throws IOException {
            new FencedStore(Path.of(arguments[0])).write(Long.parseLong(arguments[1]), "elsewhere");
        }
    }
}
