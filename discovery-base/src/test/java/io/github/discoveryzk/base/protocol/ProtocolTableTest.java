// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table in the Javadoc of {@link Protocol} is complete and tested: each of its rows is named by a transcript. */
class ProtocolTableTest {

    private static final Path TABLE = Path.of("src/main/java/io/github/discoveryzk/base/protocol/Protocol.java");
    private static final Pattern ROW = Pattern.compile("<tr><td>(\\d+)</td>");
    private static final Pattern NAMED = Pattern.compile("^# Rows? ([\\d, ]+) of the protocol's table\\.$");

    @Test
    void eachRowIsNamedByATranscript() throws IOException {
        List<Integer> rows = ROW.matcher(Files.readString(TABLE))
                .results()
                .map(ProtocolTableTest::number)
                .toList();
        assertThat(rows).isEqualTo(IntStream.rangeClosed(1, rows.size()).boxed().toList());
        assertThat(named().distinct().sorted()).isEqualTo(rows);
    }

    private static Stream<Integer> named() throws IOException {
        List<Path> transcripts;
        try (Stream<Path> files = Files.list(TranscriptTest.SCENARIOS)) {
            transcripts = files.toList();
        }
        return transcripts.stream()
                .flatMap(ProtocolTableTest::lines)
                .flatMap(line -> NAMED.matcher(line).results())
                .flatMap(match -> Arrays.stream(match.group(1).split(", ")))
                .map(Integer::valueOf);
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Integer number(MatchResult row) {
        return Integer.valueOf(row.group(1));
    }
}
