// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.zk.testing.Witness;
import org.junit.jupiter.api.Test;

/** Which roots and clusters a store creates, and which it refuses. */
class StoreRootTest extends OneServer {

    @Test
    void rootOfSomebodyElseIsRefusedAndNothingIsWritten() throws Exception {
        server.create("/sling");
        server.create(ROOT, "somebody else's".getBytes(StandardCharsets.UTF_8));
        try (Witness a = witness("a")) {
            a.awaitCall(Witness.Troubled.class, trouble -> trouble.sentence().contains(ROOT));
            assertThat(a.ask(new Request.Announce(a.record(java.util.Map.of()))).status())
                    .isEqualTo(Status.UNKNOWN);
            assertThat(a.calls(Witness.Connected.class)).isEmpty();
            assertThat(server.children(ROOT)).isEmpty();
            server.delete(ROOT);
            a.awaitSnapshot(any -> true);
            assertThat(a.calls(Witness.Troubled.class)).last().isEqualTo(new Witness.Troubled(""));
        }
    }

    @Test
    void rootOfANewerFormatIsRefused() throws Exception {
        server.create("/sling");
        server.create(ROOT, "{\"format\":2,\"product\":\"discovery-zk\"}".getBytes(StandardCharsets.UTF_8));
        try (Witness a = witness("a")) {
            a.awaitCall(Witness.Troubled.class, trouble -> trouble.sentence().contains("format 2"));
            assertThat(server.children(ROOT)).isEmpty();
        }
    }

    @Test
    void rootWithoutDataButWithChildrenIsRefusedAndAnEmptyOneTaken() throws Exception {
        server.create("/kafka");
        server.create("/kafka/brokers");
        server.create("/empty");
        try (Witness a = new Witness("a", new ZooKeeperStore(config().withRootPath("/kafka")));
                Witness b = new Witness("b", new ZooKeeperStore(config().withRootPath("/empty")))) {
            a.awaitCall(Witness.Troubled.class, trouble -> trouble.sentence().contains("/kafka"));
            assertThat(server.children("/kafka")).containsExactly("brokers");
            b.awaitSnapshot(any -> true);
        }
    }

    @Test
    void pathBehindTheServersIsMadeAndComesBeforeTheRoot() throws Exception {
        ZooKeeperStoreConfig config = ZooKeeperStoreConfig.of(server.address() + "/some/where");
        try (Witness a = new Witness("a", new ZooKeeperStore(config.withClusterName("blue")))) {
            a.join();
            assertThat(server.children("/some/where/sling/discovery/clusters/blue/members"))
                    .hasSize(1);
        }
    }

    @Test
    void brokenClusterIdIsRefusedAndNamed() throws Exception {
        try (Witness a = witness("a")) {
            a.join();
        }
        server.with(client -> client.setData(CLUSTER, new byte[] {0x1f, (byte) 0x8b, 8, 0}, -1));
        try (Witness a = witness("a")) {
            a.awaitCall(Witness.Troubled.class, trouble -> trouble.sentence().contains(CLUSTER));
            assertThat(a.calls(Witness.Connected.class)).isEmpty();
            assertThat(server.children(CLUSTER + "/members")).isEmpty();
        }
    }

    @Test
    void brokenRootMarkerUnderARunningStoreIsNamedAtTheNextConnect() throws Exception {
        try (Witness a = witness("a")) {
            a.join();
            byte[] good = server.data(ROOT);
            server.with(client -> client.setData(ROOT, new byte[] {1, 2, 3}, -1));
            server.drop(a.session());
            a.awaitCall(Witness.Troubled.class, trouble -> trouble.sentence().contains(ROOT));
            assertThat(a.ask(new Request.Probe()).status()).isEqualTo(Status.UNKNOWN);
            server.with(client -> client.setData(ROOT, good, -1));
            await().atMost(Witness.LONG)
                    .until(() -> a.calls(Witness.Connected.class).size() == 2);
            a.awaitSnapshot(all -> all.members().size() == 1);
        }
    }
}
