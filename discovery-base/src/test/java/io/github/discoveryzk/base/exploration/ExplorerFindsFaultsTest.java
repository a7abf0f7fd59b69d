// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The scopes in which the planted faults of {@code faults/explorer.txt} break a law: an explorer that finds nothing proves nothing. */
class ExplorerFindsFaultsTest {

    @Test
    void aNewcomerCannotReadTheLeader() {
        assertLawful(Scopes.blindNewcomer(), 500);
    }

    @Test
    void theNextInOrderStepsIn() {
        assertLawful(Scopes.stepIn(), 4_000);
    }

    @Test
    void aNewcomerLeavesDuringItsJoin() {
        assertLawful(Scopes.flicker(), 6_000);
    }

    private static void assertLawful(Scope scope, int states) {
        Explorer.Result result = Explorer.explore(scope, states);
        assertThat(result.broken()).as(result::toString).isEmpty();
    }
}
