// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.containers;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The page in the web console of Karaf, installed by the commands of the documentation. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KarafIT extends ConsoleContract<KarafContainer> {

    private static String withoutServer(String commands) {
        return commands.replace(" discovery-zk-server", "");
    }

    @BeforeAll
    void start() throws Exception {
        container = KarafContainer.start();
        container.run(withoutServer(Document.block("docs/install.md", "kar:install"))
                .replace("/path/to/discovery.kar", System.getProperty("distribution.home") + "/karaf/discovery.kar")
                .replace("\n", "; "));
    }

    @AfterAll
    void stop() {
        container.close();
    }

    @Test
    void itsLogHasOnlyErrorsOfZooKeeperAndDecisionsOnDemand() throws Exception {
        container.run(Document.block("docs/install.md", "log:set").replace("\n", "; "));
        assertThat(container.run("log:get org.apache.zookeeper")).contains("ERROR");
        container.run("log:set DEBUG io.github.discoveryzk.base.engine");
        untilAsserted(() -> assertThat(container.log()).anyMatch(line -> line.contains("Decides to request ")));
    }

    @Test
    void nothingFailed() {
        assertThat(container.log())
                .filteredOn(line -> line.contains("| ERROR |"))
                // Karaf logs a command that fails, which another test wants.
                .allMatch(line -> line.contains("| ShellUtil "));
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void nothingRunsAfterItsFeaturesAreUninstalled() throws Exception {
        assertThat(container.run("threads --list")).contains("discovery-karaf-decisions");
        container.run(withoutServer(Document.block("docs/install.md", "feature:uninstall")));
        untilAsserted(() -> assertThat(container.run("threads --list")).doesNotContain("discovery-"));
        assertThat(container.run("bundle:list -s")).doesNotContain("io.github.discoveryzk.");
    }

    @Test
    void aCommandThatFailsEndsTheClientWithAStatus() {
        assertThatThrownBy(() -> container.run("discovery:evict nobody")).hasMessageContaining("ended with 1");
    }

    @Test
    void theUserOfKarafSeesThePage() throws Exception {
        String page = container.console() + "/topology.json";
        assertThat(container.runInFolder("curl --silent --fail --user karaf:karaf " + page))
                .contains("\"schema\"");
    }

    @Test
    void aScriptSelectsTheLeader() throws Exception {
        assumeTrue(Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "jq"))));
        String command = Document.block("docs/console.md", "curl")
                .replace("admin:admin", "karaf:karaf")
                .replace(
                        "http://127.0.0.1:8080/system/console",
                        container.console().toString());
        untilAsserted(() -> assertThat(container.runInFolder(command)).contains("\"publish-1\""));
    }

    @Test
    void theShellExplains() throws Exception {
        for (String command :
                Document.block("docs/install.md", "discovery:topology").split("\n")) {
            untilAsserted(
                    () -> assertThat(container.run(command)).contains("State:         Settled since ", "publish-1"));
        }
        assertThat(container.runInFolder(Document.block("docs/install.md", "bin/client")))
                .contains("Settled since ");
        assertThat(container.run("discovery:history --last 1")).contains("View ");
        assertThat(container.run("discovery:topology --json")).contains("\"entries\":[{");
    }
}
