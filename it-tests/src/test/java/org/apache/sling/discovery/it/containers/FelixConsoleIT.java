// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The page in the Felix web console of each line. */
@ParameterizedClass
@MethodSource("org.apache.sling.discovery.it.containers.ConsoleLine#tested")
class FelixConsoleIT extends ConsoleContract {

    @Parameter
    private ConsoleLine line;

    private EmbeddedContainer container;

    @BeforeParameterizedClassInvocation
    void start() throws Exception {
        container = EmbeddedContainer.start(line.name());
        container.install(line.all());
        container.install(List.of(EmbeddedContainer.OPERATORS));
        container.requireActive();
    }

    @AfterParameterizedClassInvocation
    void stop() {
        container.close();
    }

    @Override
    TestedContainer container() {
        return container;
    }

    @Test
    void oneServletIsRegisteredAsPlugin() {
        assertThat(container.services("(felix.webconsole.label=topology)")).isEqualTo(1);
    }

    @Test
    void nothingFailed() {
        assertThat(container.errors()).isEmpty();
    }
}
