// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.testing.laws.LawBroken;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The long run, for as long as {@code -Dchaos.minutes} says, with faults chosen by {@code -Dchaos.seed}; each round has one whose
 * name in the report matches the regular expression {@code -Dchaos.faults}, if there is one. Not part of the usual build: {@code
 * -Pchaos} runs it and nothing else.
 */
class ChaosRun {

    private static final int SIZE = 5;

    @Test
    void allLawsHold() throws Exception {
        Duration duration = Duration.ofMinutes(Long.getLong("chaos.minutes", 30));
        long seed = Long.getLong("chaos.seed", new Random().nextInt(Integer.MAX_VALUE));
        Pattern wanted = Pattern.compile(System.getProperty("chaos.faults", ""));
        Path folder = Fleet.folder(ChaosRun.class);
        say("chaos for " + duration.toMinutes() + " min with -Dchaos.seed=" + seed + ", recorded in " + folder);
        List<NodeSettings> settings = NodeSettings.varied(new Random(seed), SIZE);
        say("session timeout, settle timeout, policy, clock rate of each container: " + settings);
        Bundles.otherVersion().ifPresent(other -> say("the last container is of another version: " + other));
        try (ChaosDriver driver = ChaosDriver.start(folder, settings)) {
            play(driver, new FaultMenu(seed, SIZE, wanted), duration);
            Recording recording = driver.finish();
            List<LawBroken> violations = LawChecker.check(recording);
            String report = ChaosReport.of(recording, violations, seed);
            Files.writeString(folder.resolveSibling("report.md"), report);
            say(report);
            assertThat(violations).isEmpty();
        }
    }

    /** Runs until the time is over, or until a fleet does not settle: later rounds would prove nothing. */
    private static void play(ChaosDriver driver, FaultMenu menu, Duration duration) throws Exception {
        long start = System.nanoTime();
        boolean settled = true;
        for (int round = 1; settled && System.nanoTime() - start < duration.toNanos(); round++) {
            List<Fault> faults = menu.next(driver.fleet().leader());
            long begin = System.nanoTime();
            settled = driver.round(faults);
            say("%4d s  round %d: %s: %s after %d ms, %d ms after the end of it, %d views"
                    .formatted(
                            (begin - start) / 1_000_000_000,
                            round,
                            faults,
                            settled ? "settled" : "NOT SETTLED",
                            (System.nanoTime() - begin) / 1_000_000,
                            driver.recovery().toMillis(),
                            driver.views()));
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
