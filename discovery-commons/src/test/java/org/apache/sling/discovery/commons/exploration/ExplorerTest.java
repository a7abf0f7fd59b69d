// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.sling.discovery.commons.exploration.Event.Kind;
import org.junit.jupiter.api.Test;

class ExplorerTest {

    private static final int WORLDS = 100_000;

    @Test
    void aJoinInEveryOrder() {
        explore(Scope.of("join", 1, 1)
                .allow(Kind.START, 1)
                .slowNet(0, 1)
                .slowListener(0, 1)
                .depth(12));
    }

    @Test
    void aLeaveInEveryOrder() {
        explore(Scope.of("leave", 2, 0)
                .allow(Kind.LEAVE, 1)
                .slowNet(0, 1)
                .slowListener(0, 1)
                .depth(10));
    }

    private static void explore(Scope scope) {
        Explorer.Result result = Explorer.explore(scope, WORLDS);
        System.out.println(result);
        assertThat(result.broken()).isEmpty();
    }
}
