// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.testing.Effort;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No order of events breaks a law, in any scope, up to the given number of states. */
class ExplorerTest {

    private static final int STATES = Effort.of("discovery.exploration.states", 1_500, 20_000);
    private static final String ONLY = System.getProperty("discovery.exploration.scope", "");

    static Stream<Scope> scopes() {
        return Scopes.all().stream().filter(scope -> scope.name.contains(ONLY));
    }

    @ParameterizedTest
    @MethodSource("scopes")
    void theLawsHold(Scope scope) {
        long start = System.nanoTime();
        Explorer.Result result = Explorer.explore(scope, STATES);
        System.out.println(result + ", " + (System.nanoTime() - start) / 100_000_000 / 10.0 + " s");
        assertThat(result.broken()).isEmpty();
    }
}
