// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each command of the documents by which a newcomer starts is run by a test, as it stands there. */
class DocumentTest {

    private static final Pattern RUN =
            Pattern.compile("Document\\s*\\.block\\(\\s*\"([^\"]+)\",\\s*\"((?:\\\\.|[^\"])+)\"\\)");

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/console.md", "docs/install.md", "docs/servers.md", "docs/sling.md"})
    void eachBlockOfCommandsIsUsedByATest(String file) throws IOException {
        List<String> used = new ArrayList<>();
        try (Stream<Path> sources = Files.walk(Path.of("src/test/java"))) {
            for (Path source :
                    sources.filter(each -> each.toString().endsWith(".java")).toList()) {
                RUN.matcher(Files.readString(source))
                        .results()
                        .filter(each -> each.group(1).equals(file))
                        .forEach(each -> used.add(each.group(2).translateEscapes()));
            }
        }
        assertThat(Document.blocks(file)).allMatch(block -> used.stream().anyMatch(block::contains));
    }

    @Test
    void theBuildRunsTheTestCommand() throws IOException {
        assertThat(Document.block("README.md", "mvn ")).isEqualTo("mvn verify");
        assertThat(Path.of("../.ci/run")).content().contains("<!-- the test command -->");
    }

    @Test
    void theFeaturesOfKarafHaveTheDefaultsOfTheDocument() throws IOException {
        assertThat(Path.of("../extras/karaf/src/main/features/features.xml"))
                .content()
                .contains(Document.block("docs/install.md", "clusterName").split("\n"))
                .contains(Document.block("docs/install.md", "servers = 127"));
    }

    /** A release of ZooKeeper cannot be fetched from a repository, so its script is not run. */
    @Test
    void theServerReadsItsConfiguration(@TempDir Path folder) throws Exception {
        Path conf = Files.createDirectory(folder.resolve("conf"));
        String command = Document.block("docs/install.md", "zoo.cfg").split("\n")[0];
        Process shell = new ProcessBuilder("bash", "-c", command)
                .directory(folder.toFile())
                .start();
        assertThat(shell.waitFor()).isZero();
        QuorumPeerConfig read = new QuorumPeerConfig();
        read.parse(conf.resolve("zoo.cfg").toString());
        assertThat(read.getClientPortAddress().getPort()).isEqualTo(2181);
    }
}
