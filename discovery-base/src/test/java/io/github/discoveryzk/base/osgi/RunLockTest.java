// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class RunLockTest {

    private static final Optional<String> BOOT = Optional.of("boot-1");

    /** No system has so many processes. */
    private static final Optional<String> ENDED = Optional.of(Long.MAX_VALUE + "/0");

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void setUp() {
        file = directory.resolve("run");
    }

    @Test
    void theFirstRunHasNoPredecessor() {
        assertThat(enter("r1").predecessor()).isEmpty();
    }

    @Test
    void aRunWhoseProcessHasEndedIsThePredecessor() {
        enter("r1").close();
        RunLock second = enter("r2");
        assertThat(second.predecessor()).contains("r1");
        second.close();
        assertThat(enter("r3").predecessor()).contains("r2");
    }

    @Test
    void aRunThatLeftInGoodOrderIsNone() {
        enter("r1").release();
        assertThat(enter("r2").predecessor()).isEmpty();
    }

    @Test
    void aRunThatHoldsTheFileIsNone() {
        RunLock first = enter("r1");
        RunLock second = enter("r2");
        assertThat(second.predecessor()).isEmpty();

        second.release();
        first.close();
        assertThat(enter("r3").predecessor()).as("the file was left alone").contains("r1");
    }

    @Test
    void aCopiedFileProvesNothing() throws IOException {
        RunLock first = enter("r1");
        Path copy = directory.resolve("copy");
        Files.copy(file, copy);
        assertThat(RunLock.acquire(copy, "r2", BOOT, ENDED).predecessor()).isEmpty();
        first.close();
    }

    @Test
    void aRestartOfTheMachineProvesNothing() {
        enter("r1").close();
        assertThat(RunLock.acquire(file, "r2", Optional.of("boot-2"), ENDED).predecessor())
                .isEmpty();
    }

    @Test
    void withoutKnowingTheBootThereIsNoProof() {
        RunLock.acquire(file, "r1", Optional.empty(), ENDED).close();
        assertThat(RunLock.acquire(file, "r2", Optional.empty(), ENDED).predecessor())
                .isEmpty();
    }

    @Test
    void brokenContentAndUnusableFilesProveNothing() throws IOException {
        Files.write(file, new byte[] {(byte) 0xff, 0, '\n', '\n'});
        assertThat(enter("r1").predecessor()).isEmpty();
        RunLock unusable = RunLock.acquire(directory, "r2", BOOT, ENDED);
        assertThat(unusable.predecessor()).isEmpty();
        unusable.release();
    }

    @Test
    void aRunOfAnEarlierVersionOrWithoutAStartTimeProvesNothing() throws IOException {
        RunLock.acquire(file, "r1", BOOT, Optional.empty()).close();
        assertThat(enter("r2").predecessor()).isEmpty();

        String written = Files.readString(file);
        Files.writeString(file, written.substring(0, written.lastIndexOf('\n', written.length() - 2) + 1));
        assertThat(Files.readAllLines(file)).hasSize(2);
        assertThat(enter("r3").predecessor()).isEmpty();
    }

    /** The system drops the lock when the process closes another channel of the file. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aRunThatLivesIsNoneAlthoughItsLockIsLost() throws Exception {
        Process first = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ReadingRun.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader output = first.inputReader()) {
            assertThat(output.readLine()).isEqualTo("locked");
            String written = Files.readString(file);
            RunLock second = RunLock.acquire(file, "r2");
            assertThat(second.predecessor()).isEmpty();

            second.close();
            Files.writeString(file, written);
            first.destroyForcibly().waitFor();
            assertThat(RunLock.acquire(file, "r3").predecessor()).contains("first");
        } finally {
            first.destroyForcibly();
        }
    }

    /** The first run, in which something else reads the file. It ends with its input. */
    static final class ReadingRun {
        public static void main(String[] args) throws IOException {
            Path file = Path.of(args[0]);
            RunLock.acquire(file, "first");
            Files.readAllBytes(file);
            System.out.println("locked");
            if (System.in.read() < 0) {
                System.exit(1);
            }
        }
    }

    private RunLock enter(String runtimeId) {
        return RunLock.acquire(file, runtimeId, BOOT, ENDED);
    }
}
