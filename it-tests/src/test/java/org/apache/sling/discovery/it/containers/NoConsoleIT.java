// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.sling.discovery.it.outside.Limit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A container without servlets, inventory and web console. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NoConsoleIT {

    private EmbeddedContainer container;

    @BeforeAll
    void start() throws Exception {
        container = EmbeddedContainer.start("bare");
        container.install(List.of(EmbeddedContainer.OPERATORS));
        container.requireActive();
    }

    @AfterAll
    void stop() {
        container.close();
    }

    @Test
    void theShellExplains() {
        Limit.untilAsserted(() ->
                assertThat(container.run("discovery:explain")).contains("State:         Settled since ", "Listeners"));
    }

    @Test
    void theLogSaysOnceWhatToInstall() {
        Limit.untilAsserted(() -> assertThat(container.log())
                .filteredOn(line -> line.contains("No web console is active"))
                .singleElement()
                .asString()
                .startsWith("INFO")
                .contains("Web Console 4", "Web Console 5"));
    }

    @Test
    void nothingFailed() {
        assertThat(container.errors()).isEmpty();
    }
}
