// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.zk.testing.Witness;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.Test;

/** What it costs one instance when many members join or change at the same time, in requests counted by the server. */
class StoreStormCostTest extends OneServer {
    private static final int NEWCOMERS = 60;

    @Test
    void membersThatJoinAtOnceAreReadInTwoPackets() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            byte[] record = server.data(CLUSTER + "/members/" + own.node());
            a.perform(new Request.Probe());
            server.forgetAsked();
            List<Op> creations = IntStream.range(0, NEWCOMERS)
                    .mapToObj(i -> Op.create(
                            CLUSTER + "/members/" + String.format("m-%016x-1-1-", i),
                            record,
                            Ids.OPEN_ACL_UNSAFE,
                            CreateMode.EPHEMERAL_SEQUENTIAL))
                    .toList();
            server.with(client -> {
                client.multi(creations);
                a.awaitSnapshot(all -> all.members().size() == NEWCOMERS + 1);
                assertThat(server.asked(a.session())).isEqualTo(Map.of("getData", 1L, "multiRead", 1L));
            });
            a.awaitSnapshot(all -> all.members().size() == 1);
        }
    }

    @Test
    void memberThatChangesWhileItIsReadIsReadAgain() throws Exception {
        try (Witness a = witness("a")) {
            Member own = a.join();
            a.perform(new Request.Probe());
            byte[] record = server.data(CLUSTER + "/members/" + own.node());
            server.with(client -> client.multi(List.of(
                    Op.setData(CLUSTER + "/members/" + own.node(), new byte[] {'?'}, -1),
                    Op.setData(CLUSTER + "/members/" + own.node(), record, -1))));
            a.perform(new Request.Probe());
            assertThat(a.own().node()).isEqualTo(own.node());
        }
    }
}
