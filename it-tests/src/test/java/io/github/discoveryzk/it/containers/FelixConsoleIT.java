// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.Container;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The page in the Felix web console of each line. */
@ParameterizedClass
@MethodSource("io.github.discoveryzk.it.containers.ConsoleLine#tested")
class FelixConsoleIT extends ConsoleContract<FelixContainer> {

    @Parameter
    private ConsoleLine line;

    @BeforeParameterizedClassInvocation
    void start() throws IOException {
        container = new FelixContainer(line);
    }

    @AfterParameterizedClassInvocation
    void stop() {
        container.close();
    }

    @Test
    void nothingFailed() {
        assertThat(Container.errors(container.log())).isEmpty();
    }
}
