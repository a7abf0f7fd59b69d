// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLockTest {

    private static final Optional<String> BOOT = Optional.of("boot-1");

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
        assertThat(RunLock.acquire(copy, "r2", BOOT).predecessor()).isEmpty();
        first.close();
    }

    @Test
    void aRestartOfTheMachineProvesNothing() {
        enter("r1").close();
        assertThat(RunLock.acquire(file, "r2", Optional.of("boot-2")).predecessor())
                .isEmpty();
    }

    @Test
    void withoutKnowingTheBootThereIsNoProof() {
        RunLock.acquire(file, "r1", Optional.empty()).close();
        assertThat(RunLock.acquire(file, "r2", Optional.empty()).predecessor()).isEmpty();
    }

    @Test
    void brokenContentAndUnusableFilesProveNothing() throws IOException {
        Files.write(file, new byte[] {(byte) 0xff, 0, '\n', '\n'});
        assertThat(enter("r1").predecessor()).isEmpty();
        RunLock unusable = RunLock.acquire(directory, "r2", BOOT);
        assertThat(unusable.predecessor()).isEmpty();
        unusable.release();
    }

    private RunLock enter(String runtimeId) {
        return RunLock.acquire(file, runtimeId, BOOT);
    }
}
