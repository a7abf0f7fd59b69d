// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The feature archive is all that Sling's feature launcher needs. */
class FeatureIT extends ConsoleContract {

    private FeatureContainer container;

    @BeforeAll
    void start() throws IOException {
        container = FeatureContainer.start();
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
    void itsLogHasTheTimeAndOnlyErrorsOfZooKeeper() {
        assertThat(container.log())
                .anyMatch(line ->
                        line.matches("[0-9-]{10} [0-9:.]{12} INFO +\\[.*\\] org\\.apache\\.sling\\.discovery\\..*"))
                .noneMatch(line -> line.contains("org.apache.zookeeper.") && !line.contains(" ERROR "));
    }

    @Test
    void nothingFailed() {
        assertThat(container.log()).noneMatch(line -> line.contains(" ERROR "));
    }
}
