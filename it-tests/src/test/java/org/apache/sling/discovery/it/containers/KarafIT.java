// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.containers;

import static org.apache.sling.discovery.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page in the web console of Karaf, installed by the commands that the documentation tells. */
class KarafIT extends ConsoleContract {

    private KarafContainer container;

    @BeforeAll
    void start() throws Exception {
        container = KarafContainer.start();
        container.run("feature:repo-add " + System.getProperty("karaf.features")
                + "; feature:install http-whiteboard webconsole discovery");
    }

    @AfterAll
    void stop() {
        container.close();
    }

    @Override
    TestedContainer container() {
        return container;
    }

    @Test
    void nothingFailed() {
        assertThat(container.log())
                .filteredOn(line -> line.contains("| ERROR |"))
                // Karaf logs a command that fails, which another test wants.
                .allMatch(line -> line.contains("| ShellUtil "));
    }

    @Test
    void aCommandThatFailsEndsTheClientWithAStatus() {
        assertThatThrownBy(() -> container.run("discovery:evict nobody")).hasMessageContaining("ended with 1");
    }

    @Test
    void theShellExplains() throws Exception {
        untilAsserted(() ->
                assertThat(container.run("discovery:explain")).contains("State:         Settled since ", "Listeners"));
        assertThat(container.run("discovery:history --last 1")).contains("View ");
        assertThat(container.run("discovery:topology --json")).contains("\"entries\":[{");
    }
}
