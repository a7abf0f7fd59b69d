// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Plays the scenarios in {@code src/test/resources/transcripts}, one a file. A scenario is a sequence of steps, separated by
 * empty lines; a step is new knowledge of one instance (see {@link TranscriptBench} for the commands), then {@code ----}, then
 * exactly the outcome of the protocol. Lines that begin with {@code #} are prose.
 *
 * <p>{@code -Ddiscovery.transcripts.rewrite=true} writes the outcomes into the files, so that the difference can be reviewed.
 */
class TranscriptTest {

    static final Path SCENARIOS = Path.of("src/test/resources/transcripts");
    private static final boolean REWRITE = Boolean.getBoolean("discovery.transcripts.rewrite");
    private static final String DIVIDER = "----";

    @TestFactory
    List<DynamicTest> scenarios() throws IOException {
        try (Stream<Path> files = Files.list(SCENARIOS)) {
            return files.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), file.toUri(), () -> play(file)))
                    .toList();
        }
    }

    private static void play(Path file) throws IOException {
        List<String> expected = Files.readAllLines(file);
        List<String> actual = played(expected);
        if (REWRITE && !actual.equals(expected)) {
            Files.writeString(file, String.join("\n", actual) + "\n");
        } else {
            assertThat(String.join("\n", actual)).as("%s", file).isEqualTo(String.join("\n", expected));
        }
    }

    /** Returns the lines of a scenario with the actual outcomes. */
    private static List<String> played(List<String> scenario) {
        TranscriptBench bench = new TranscriptBench();
        List<String> lines = new ArrayList<>();
        boolean inOutcome = false;
        for (String line : scenario) {
            inOutcome = inOutcome && !line.isBlank();
            if (!inOutcome) {
                lines.add(line);
            }
            if (line.equals(DIVIDER)) {
                inOutcome = true;
                lines.addAll(bench.decide());
            } else if (!inOutcome && !line.isBlank() && !line.startsWith("#")) {
                command(bench, line);
            }
        }
        return lines;
    }

    private static void command(TranscriptBench bench, String line) {
        try {
            bench.command(line);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("cannot understand the line: " + line, e);
        }
    }
}
