// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
