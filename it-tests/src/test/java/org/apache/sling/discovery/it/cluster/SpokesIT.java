// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import static org.apache.sling.discovery.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.commons.report.ConnectorReport.Outgoing;
import org.apache.sling.discovery.commons.report.ConnectorReport.Traffic;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fifty clusters of one instance each, which have a connector to one hub: what they exchange, idle and because of a change. */
@Tag("thorough")
class SpokesIT {

    private static final int SPOKES = 50;
    private static final int INTERVALS = 3;
    private static final String HUB = "hub";
    /** More than any announcement of one instance has. */
    private static final long BYTES_PER_ANNOUNCEMENT = 500;

    @Test
    void fiftySpokesOfOneHubConvergeAndCostOneExchangePerInterval(@TempDir Path folder) throws Exception {
        List<String> spokes =
                IntStream.range(0, SPOKES).mapToObj(i -> "spoke" + i).toList();
        try (ConnectedInstances instances = new ConnectedInstances(folder, ConnectedInstances.LONG)) {
            ZooKeeperStoreConfig server = instances.config("all");
            instances.start(HUB, server.withRootPath("/" + HUB));
            spokes.forEach(id -> instances.start(id, server.withRootPath("/" + id)));
            instances.awaitSettled(instances.ids().toArray(String[]::new));
            instances.connect(HUB);
            spokes.forEach(id -> instances.connect(id, HUB));
            instances.untilAllShow(instances.ids(), instances.ids().toArray(String[]::new));
            instances.awaitExchanges(INTERVALS);
            Map<PlainInstance, Integer> marks = instances.marks();
            Traffic before = total(instances);
            instances.awaitExchanges(INTERVALS);
            Traffic idle = total(instances);
            Instances.assertSince(marks);
            assertThat(idle.failures()).isEqualTo(before.failures());
            // What the hub has announced is not announced to the hub; the hub tells each spoke of all others.
            long requests = idle.requests() - before.requests();
            assertThat((idle.bytesSent() - before.bytesSent()) / requests).isLessThan(BYTES_PER_ANNOUNCEMENT);
            assertThat((idle.bytesReceived() - before.bytesReceived()) / requests)
                    .isLessThan(SPOKES * BYTES_PER_ANNOUNCEMENT);
            instances.get("spoke0").offer("color", "blue");
            awaitThat("all show the property", () -> marks.keySet().stream()
                    .allMatch(each -> each.properties("spoke0").containsKey("color")));
            instances.awaitExchanges(INTERVALS);
            Instances.assertSince(marks, Type.PROPERTIES_CHANGED);
        }
    }

    /** Returns what all spokes have exchanged. */
    private static Traffic total(ConnectedInstances instances) {
        return instances.ids().stream()
                .flatMap(id -> instances.connectors(id).outgoing().stream())
                .map(Outgoing::traffic)
                .reduce(
                        Traffic.NOTHING,
                        (one, other) -> new Traffic(
                                one.requests() + other.requests(),
                                one.failures() + other.failures(),
                                one.bytesSent() + other.bytesSent(),
                                one.bytesReceived() + other.bytesReceived()));
    }
}
