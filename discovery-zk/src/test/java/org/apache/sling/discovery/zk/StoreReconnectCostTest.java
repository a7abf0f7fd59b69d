// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Collections;
import java.util.Map;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.zk.testing.Witness;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What it costs one instance to connect again, in requests counted by the server. */
class StoreReconnectCostTest extends OneServer {

    @ParameterizedTest
    @CsvSource({"10, 1", "30, 1", "100, 1", "101, 2", "250, 3"})
    void reconnectCostsAFixedNumberOfRequestsAndOneForEachHundredMembers(int members, long packets) throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            server.with(client -> {
                for (int i = 1; i < members; i++) {
                    client.create(
                            CLUSTER + "/members/" + String.format("m-%016x-1-1-", i),
                            server.data(CLUSTER + "/members/" + own.node()),
                            Ids.OPEN_ACL_UNSAFE,
                            CreateMode.EPHEMERAL_SEQUENTIAL);
                }
                a.awaitSnapshot(all -> all.members().size() == members);
                reconnect(a);
                a.awaitSnapshot(all -> all.members().size() == members);
                a.perform(new Request.Probe());
                assertThat(server.asked(a.session()))
                        .isEqualTo(Map.of(
                                "setWatches2",
                                1L,
                                "addWatch",
                                3L,
                                "multiRead",
                                1 + packets,
                                "getChildren",
                                2L,
                                "exists",
                                1L));
            });
        }
    }

    @Test
    void memberThatMustNotBeReadDoesNotHideTheOthersOfItsPacket() throws Exception {
        try (Witness a = witness("a");
                Witness b = witness("b")) {
            Member first = a.join();
            Member second = b.join();
            a.awaitSnapshot(all -> all.members().size() == 2);
            server.with(client -> client.setACL(
                    CLUSTER + "/members/" + second.node(),
                    Collections.singletonList(new ACL(Perms.ALL & ~Perms.READ, Ids.ANYONE_ID_UNSAFE)),
                    -1));
            reconnect(a);
            a.awaitSnapshot(all -> all.unreadable().size() == 1);
            assertThat(a.snapshot().get().members()).extracting(Member::node).containsExactly(first.node());
            assertThat(a.snapshot().get().unreadable().get(0).node()).isEqualTo(second.node());
        }
    }

    @Test
    void recordsThatExceedThePacketOfAClientTogetherAreRead() throws Exception {
        try (Witness a = witness("a");
                Witness b = witness("b")) {
            Member first = a.join();
            b.join();
            byte[] large = new byte[700 * 1024];
            server.with(client -> {
                for (int i = 0; i < 3; i++) {
                    client.create(
                            CLUSTER + "/members/" + String.format("m-%016x-1-1-", i),
                            large,
                            Ids.OPEN_ACL_UNSAFE,
                            CreateMode.EPHEMERAL_SEQUENTIAL);
                }
                a.awaitSnapshot(all -> all.unreadable().size() == 3);
                reconnect(a);
                a.awaitSnapshot(
                        all -> all.unreadable().size() == 3 && all.members().size() == 2);
                a.perform(new Request.Probe());
            });

            assertThat(a.calls(Witness.Connected.class)).hasSize(2);
            assertThat(a.own().node()).isEqualTo(first.node());
        }
    }

    private void reconnect(Witness instance) {
        int connects = instance.calls(Witness.Connected.class).size();
        server.forgetAsked();
        server.drop(instance.session());
        await().atMost(Witness.LONG)
                .until(() -> instance.calls(Witness.Connected.class).size() == connects + 1);
    }
}
