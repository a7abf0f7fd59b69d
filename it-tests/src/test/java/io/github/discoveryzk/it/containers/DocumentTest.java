// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each command and each configuration of the documents is taken from there by a test, as it stands. */
class DocumentTest {

    private static final Pattern USE =
            Pattern.compile("\\b(block|after)\\(\\s*\"([^\"]+)\",\\s*\"((?:\\\\.|[^\"])+)\"\\)");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CONTRIBUTING.md",
                "README.md",
                "docs/connectors.md",
                "docs/console.md",
                "docs/install.md",
                "docs/kubernetes.md",
                "docs/operations.md",
                "docs/security.md",
                "docs/servers.md",
                "docs/sling.md",
                "docs/use.md"
            })
    void eachBlockIsUsedByATest(String file) throws IOException {
        List<String> used = new ArrayList<>();
        for (String sources : List.of("src/test/java", "../discovery-zk/src/test/java")) {
            try (Stream<Path> all = Files.walk(Path.of(sources))) {
                for (Path source :
                        all.filter(each -> each.toString().endsWith(".java")).toList()) {
                    USE.matcher(Files.readString(source))
                            .results()
                            .filter(each -> each.group(2).equals(file))
                            .forEach(each -> used.add(used(each)));
                }
            }
        }
        assertThat(Document.blocks(file)).map(String::strip).isSubsetOf(used);
    }

    private static String used(MatchResult use) {
        String text = use.group(3).translateEscapes();
        return use.group(1).equals("block") ? Document.block(use.group(2), text) : Document.after(use.group(2), text);
    }

    @Test
    void whatTheCommandsForContributorsNameExists() throws IOException {
        String block = Document.block("CONTRIBUTING.md", "-Pthorough");
        Path root = Path.of("..");
        assertThat(named(block, "-P(\\w+)")).isNotEmpty().allSatisfy(profile -> assertThat(
                        Files.readString(root.resolve("discovery-base/pom.xml")) + Files.readString(Path.of("pom.xml")))
                .contains("<id>" + profile + "</id>"));
        assertThat(named(block, "-pl ([\\w/-]+)")).isNotEmpty().allSatisfy(module -> assertThat(root.resolve(module))
                .isDirectory());
        assertThat(named(block, "(?m)^([./][\\w./]+)"))
                .isNotEmpty()
                .allSatisfy(script -> assertThat(root.resolve(script)).isExecutable());
        List<String> tests = named(block, "test=(\\w+[a-z]\\w*)");
        try (Stream<Path> files =
                Files.find(root, 12, (path, any) -> path.toString().endsWith(".java"))) {
            assertThat(files.map(each -> each.getFileName().toString()).toList())
                    .containsAll(tests.stream().map(each -> each + ".java").toList());
        }
    }

    private static List<String> named(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(each -> each.group(1))
                .toList();
    }

    /** The rehearsal of a release builds the bundle, and deploys it. */
    @Test
    void theBundleOfOnesOwnHasTheVersionsOfTheBuild() throws IOException {
        String build = Files.readString(Path.of("../pom.xml"));
        String pom = Document.block("docs/use.md", "bnd-maven-plugin");
        List<String> versions = named(pom, "</artifactId>\\s*<version>([^<]+)<");
        assertThat(versions).hasSize(4).satisfies(all -> {
            assertThat(build).contains("<version>" + all.get(1) + "</version>");
            assertThat(build).contains("<osgi.component.annotations.version>" + all.get(2) + "<");
            assertThat(build).contains("<bnd.version>" + all.get(3) + "<");
        });
        assertThat(Document.block("docs/use.md", "--add"))
                .endsWith("--add target/" + named(pom, "<artifactId>([^<]+)<").get(0) + "-" + versions.get(0) + ".jar");
        assertThat(Path.of("../.ci/release")).content().contains("docs/use.md");
    }

    /** The build of the archive resolves these coordinates. */
    @Test
    void anAggregateNamesAnArtifactOfTheBuild() throws IOException {
        String coordinates = Document.block("docs/sling.md", "<includeArtifact>")
                .replaceAll("</?includeArtifact>|\\s", "")
                .replaceAll("<version>.*</version>", "<version>\\${project.version}</version>");
        assertThat(Files.readString(Path.of("../extras/distribution/pom.xml")).replaceAll("\\s", ""))
                .contains("<artifactItem>" + coordinates);
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
