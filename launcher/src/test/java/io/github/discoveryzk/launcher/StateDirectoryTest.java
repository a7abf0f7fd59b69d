// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateDirectoryTest {

    @TempDir
    Path folder;

    @Test
    void clearsOnlyWhatALauncherHasPutThere() throws Exception {
        Files.createDirectories(folder.resolve("instance-1/felix"));
        Files.writeString(folder.resolve("instance-1/felix/file"), "x");
        Files.createDirectories(folder.resolve("zookeeper/data"));
        Files.createDirectories(folder.resolve("instance-of-mine"));
        Files.writeString(folder.resolve("notes"), "x");

        try (StateDirectory directory = StateDirectory.open(folder)) {
            directory.clear();
        }

        assertThat(folder.resolve("instance-1")).doesNotExist();
        assertThat(folder.resolve("zookeeper")).doesNotExist();
        assertThat(folder.resolve("instance-of-mine")).exists();
        assertThat(folder.resolve("notes")).exists();
    }

    @Test
    void keepsAListOfServersAsLongAsItsPortsAreFree() throws Exception {
        try (StateDirectory directory = StateDirectory.open(folder)) {
            String three = directory.servers(3);
            String[] first = three.split(",")[0].split(":");
            assertThat(three.split(",")).hasSize(3).allMatch(each -> each.matches("127\\.0\\.0\\.1(:\\d+){3}"));
            assertThat(folder.resolve("instance-2/zookeeper-3/data/myid")).hasContent("2");
            assertThat(directory.servers(3)).isEqualTo(three);
            assertThat(directory.servers(1)).isNotEqualTo(three);
            try (ServerSocket intruder = new ServerSocket()) {
                intruder.bind(Ports.address(Integer.parseInt(first[2])));
                assertThat(directory.servers(3)).isNotEqualTo(three);
            }
        }
    }

    @Test
    void belongsToOneLauncherAtATime() throws Exception {
        try (StateDirectory directory = StateDirectory.open(folder)) {
            assertThat(directory).isNotNull();
            assertThatThrownBy(() -> StateDirectory.open(folder))
                    .isInstanceOf(LaunchException.class)
                    .hasMessageContaining("is in use");
        }
        StateDirectory.open(folder).close();
    }
}
