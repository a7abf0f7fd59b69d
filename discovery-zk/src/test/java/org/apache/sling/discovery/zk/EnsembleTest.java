// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.zk.testing.Witness;
import org.junit.jupiter.api.Test;

/** A store on three servers, of which one at a time is away. */
class EnsembleTest {

    @Test
    void restartingTheServersOneByOneEndsNoSession() throws Exception {
        try (TestingCluster ensemble = new TestingCluster(3)) {
            ensemble.start();
            try (Witness a =
                    new Witness("a", new ZooKeeperStore(ZooKeeperStoreConfig.of(ensemble.getConnectString())))) {
                Member own = a.join();
                for (InstanceSpec server : ensemble.getInstances()) {
                    ensemble.killServer(server);
                    confirms(a);
                    ensemble.restartServer(server);
                    confirms(a);
                }
                assertThat(a.calls(Witness.Expired.class)).isEmpty();
                assertThat(a.calls(Witness.Suspended.class)).isNotEmpty();
                assertThat(a.own()).isEqualTo(own);
            }
        }
    }

    private static void confirms(Witness one) {
        await().atMost(Witness.LONG).until(() -> one.ask(new Request.Probe()).status() == Status.DONE);
    }
}
