// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.environment.Machine;
import io.github.discoveryzk.base.protocol.Facts.Suspect;
import io.github.discoveryzk.model.ProcessInfo;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A neighbour in a process of its own, which is killed. */
@Timeout(120)
@EnabledOnOs(OS.LINUX)
@ResourceLock(value = "discovery-neighbours", mode = ResourceAccessMode.READ)
class CrashedProcessTest {

    private final Watcher a = new Watcher("a");
    private Process process;
    private String endpoint;

    /** Listens until its input ends. */
    static final class Listening {
        public static void main(String[] args) throws IOException {
            System.out.println(new Watcher("b").neighbours.listen());
            System.exit(System.in.read());
        }
    }

    @BeforeEach
    void start() throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Listening.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader output = process.inputReader();
        endpoint = output.readLine();
    }

    @AfterEach
    void close() {
        process.destroyForcibly();
        a.close();
    }

    private void watch(long pid) {
        ProcessInfo info = Watcher.on(Machine.THIS, new ProcessInfo("run-b", "host", pid, "/", 0), endpoint);
        a.follow(a.at(""), Watcher.member("b", info));
        a.awaitConnected(1);
    }

    @Test
    void theEndOfAProcessOfThisMachineIsProven() throws Exception {
        watch(process.pid());
        process.destroyForcibly().waitFor();
        a.awaitSuspects(new Suspect("m-b", true, 0));
    }

    @Test
    void aProcessThatLivesIsOnlySuspected() throws Exception {
        watch(ProcessHandle.current().pid());
        process.destroyForcibly().waitFor();
        a.awaitSuspects(new Suspect("m-b", false, 0));
    }

    @Test
    void theStartTimeTellsAProcessFromALaterOneWithItsId() throws Exception {
        String name = Machine.THIS.process(process.pid()).orElseThrow();
        assertThat(Machine.THIS.hasEnded(name)).isFalse();
        assertThat(Machine.THIS.hasEnded(name + "1")).isTrue();
        process.destroyForcibly().waitFor();
        Watcher.await().until(() -> Machine.THIS.hasEnded(name));
        assertThat(Machine.THIS.process(process.pid())).isEmpty();
        assertThat(List.of("", "unknown", process.pid() + " 1")).noneMatch(Machine.THIS::hasEnded);
    }
}
