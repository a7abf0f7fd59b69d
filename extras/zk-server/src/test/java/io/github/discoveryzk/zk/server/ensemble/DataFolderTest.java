// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
    @TempDir
    private Path path;

    private DataFolder folder;
    private Path version;

    @BeforeEach
    void create() throws Exception {
        folder = new DataFolder(path);
        folder.remember(2);
        version = Files.createDirectories(folder.data().resolve("version-2"));
        Files.writeString(version.resolve("snapshot.0"), "");
    }

    @Test
    void theSnapshotOfAnEmptyTreeIsNoData() throws Exception {
        assertThat(folder.hasData()).isFalse();
        assertThat(folder.isLost()).isFalse();
        Files.writeString(version.resolve("log.100000001"), "");
        assertThat(folder.hasData()).isTrue();
    }

    @Test
    void aVoteIsTakenBack() throws Exception {
        folder.allowVote();
        folder.forbidVote();
        assertThat(folder.data().resolve("initialize")).doesNotExist();
        assertThat(version).isEmptyDirectory();
        assertThat(folder.id()).hasValue(2);
    }

    @Test
    void dataIsNeverRemoved() throws Exception {
        Files.writeString(version.resolve("snapshot.2a"), "");
        folder.forbidVote();
        assertThat(version.resolve("snapshot.0")).exists();
        assertThat(version.resolve("snapshot.2a")).exists();
    }

    @Test
    void anIdThatWasNeverUsedIsForgotten() throws Exception {
        folder.forgetUnused();
        assertThat(folder.id()).isEmpty();
    }
}
