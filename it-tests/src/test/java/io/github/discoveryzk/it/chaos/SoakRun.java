// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/**
 * A long run with ordinary events, for as long as {@code -Dsoak.minutes} says: each second an instance joins or leaves, and properties,
 * listeners, connections, sessions and a process come and go. Nothing may grow in the containers that stay, in the process of the
 * visitors or in the servers, and all laws hold. Not part of the usual build: {@code -Psoak} runs it and nothing else.
 */
class SoakRun {

    private static final Path RESULTS = Path.of("target", "soak");

    @Test
    void nothingGrows() throws Exception {
        Duration duration = Duration.ofMinutes(Long.getLong("soak.minutes", 60));
        Path folder = Fleet.folder(SoakRun.class);
        say("soak for " + duration.toMinutes() + " min, recorded in " + folder);
        try (ChaosDriver driver =
                ChaosDriver.start(folder, Collections.nCopies(Soak.STAYING + 1, NodeSettings.PLAIN))) {
            boolean settled = driver.round(List.of(Fault.of("soak", List.of(), fleet -> {
                Soak soak = new Soak(fleet, SoakRun::say);
                soak.run(duration);
                return soak::end;
            })));
            Recording recording = driver.finish();
            List<SoakSeries> series = SoakSeries.of(recording);
            write(series);
            SoftAssertions.assertSoftly(all -> {
                all.assertThat(settled).as("all settled at the end").isTrue();
                all.assertThat(LawChecker.check(recording)).isEmpty();
                all.assertThat(series).hasSizeGreaterThan(3 * Soak.STAYING);
                all.assertThat(series.stream().flatMap(each -> each.growth().stream()))
                        .isEmpty();
            });
        }
    }

    private static void write(List<SoakSeries> series) throws IOException {
        Files.createDirectories(RESULTS);
        String csv = series.stream()
                .flatMap(each -> each.values().stream()
                        .map(value -> String.format(
                                Locale.ROOT,
                                "%.1f,%s,%s,%d",
                                value.second(),
                                each.process(),
                                each.what(),
                                value.value())))
                .collect(Collectors.joining("\n", "seconds,process,what,value\n", "\n"));
        Files.writeString(RESULTS.resolve("soak.csv"), csv);
        say("written: " + RESULTS.toAbsolutePath() + "/soak.csv");
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
