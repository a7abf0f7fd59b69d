// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class MachineTest {

    @TempDir
    private Path directory;

    private ProcFolder proc;
    private Machine machine;

    @BeforeEach
    void make() throws IOException {
        proc = ProcFolder.in(directory, "boot-1", "1");
        machine = proc.machine();
    }

    @Test
    void theIdTellsBootsAndNamespacesOfProcessIdsApart() throws IOException {
        assertThat(Stream.of(
                                machine,
                                ProcFolder.in(directory, "boot-2", "1").machine(),
                                ProcFolder.in(directory, "boot-1", "2").machine())
                        .map(Machine::id))
                .doesNotHaveDuplicates()
                .allMatch(Optional::isPresent);
        assertThat(ProcFolder.in(directory, "boot-1", "1").machine().id()).isEqualTo(machine.id());
    }

    @Test
    void aFolderThatShowsOtherProcessIdsIdentifiesNoMachine() throws IOException {
        proc.show(1, "1");
        assertThat(machine.id()).isEmpty();
    }

    @Test
    void aProcessHasEndedIfItIsGoneOrAnotherHasItsId() throws IOException {
        proc.start(7, 100);
        String name = machine.process(7).orElseThrow();
        assertThat(machine.hasEnded(name)).isFalse();
        proc.start(7, 101);
        assertThat(machine.hasEnded(name)).isTrue();
        assertThat(machine.process(7)).isPresent().isNotEqualTo(Optional.of(name));
        proc.end(7);
        assertThat(machine.hasEnded(name)).isTrue();
        assertThat(machine.process(7)).isEmpty();
    }

    @Test
    void aFolderThatDoesNotShowItsOwnProcessProvesNothing() throws IOException {
        proc.end(ProcFolder.SELF);
        assertThat(machine.hasEnded("7/100")).isFalse();
    }

    @Test
    void whereThereIsNoSuchFolderNothingIsKnown() {
        Machine none = new Machine(directory.resolve("none"), ProcFolder.SELF);
        assertThat(none.id()).isEmpty();
        assertThat(none.process(ProcFolder.SELF)).isEmpty();
        assertThat(Stream.of("", "unknown", "7 1", "7/1")).noneMatch(none::hasEnded);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void thisMachineHasAnId() {
        assertThat(Machine.THIS.id()).isPresent().isEqualTo(Machine.THIS.id());
    }
}
