// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.sling.discovery.zk.testing.Witness;
import org.junit.jupiter.api.Test;

/** What a store says that gets no session. */
class StoreRefusedConnectionTest extends OneServer {

    private static void awaitTrouble(Witness store, String part) {
        store.awaitCall(Witness.Troubled.class, trouble -> trouble.sentence().contains(part));
    }

    @Test
    void limitOfConnectionsPerClientIsNamedUntilItIsRaised() {
        server.limitConnections(2);
        try (Witness a = witness("a");
                Witness b = witness("b")) {
            a.awaitSnapshot(any -> true);
            b.awaitSnapshot(any -> true);
            try (Witness c = witness("c")) {
                awaitTrouble(c, "No ZooKeeper server answers at " + server.address());
                awaitTrouble(c, "maxClientCnxns, 60 by default, 0 for no limit");
                assertThat(a.calls(Witness.Troubled.class)).isEmpty();

                server.limitConnections(0);
                c.awaitSnapshot(any -> true);
                assertThat(c.calls(Witness.Troubled.class)).last().isEqualTo(new Witness.Troubled(""));
            }
        }
    }
}
