// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.sling.discovery.webconsole.testing.Sent;
import org.junit.jupiter.api.Test;

class RouterTest {
    private final Sent sent = new Sent();

    @Test
    void theDocumentIsAskedForBelowTheConsole() {
        for (String other : List.of("/topology", "/topology/", "/topology.json/x", "/topology/topology.json")) {
            assertThat(Router.isForDocument(sent.request("GET", other))).isFalse();
        }
        assertThat(Router.isForDocument(sent.request("GET", "/topology.json"))).isTrue();
    }
}
