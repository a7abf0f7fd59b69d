// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The program of Prometheus that checks rules and metrics. Without it on the machine the tests that need it are skipped. */
public final class Promtool {

    private static final String MISSING =
            "no promtool was found on the PATH, so neither rules nor metrics were checked;"
                    + " install it with \"apt-get install prometheus\"";

    private Promtool() {}

    /** Ends the test as skipped, with a reason, when the program is missing. */
    public static void assumeInstalled() {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool"))),
                MISSING);
    }

    /** Gives the program an input and returns what it complains about. */
    public static List<String> check(String input, String... arguments) throws IOException, InterruptedException {
        Process program = new ProcessBuilder(Stream.concat(Stream.of("promtool"), Stream.of(arguments))
                        .toList())
                .redirectErrorStream(true)
                .start();
        try (OutputStream in = program.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(program.waitFor()).as(output).isZero();
        return output.lines().filter(line -> !line.isBlank()).toList();
    }
}
