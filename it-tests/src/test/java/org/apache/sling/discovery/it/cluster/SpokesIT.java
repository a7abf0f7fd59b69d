// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.cluster;

import static org.apache.sling.discovery.it.cluster.Containers.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.sling.discovery.TopologyEvent;
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

    @TempDir
    private Path folder;

    @Test
    void fiftySpokesOfOneHubConvergeAndCostOneExchangePerInterval() throws Exception {
        List<String> spokes =
                IntStream.range(0, SPOKES).mapToObj(i -> "spoke" + i).toList();
        try (ConnectedInstances instances = new ConnectedInstances(folder, ConnectedInstances.LONG)) {
            ZooKeeperStoreConfig server =
                    ZooKeeperStoreConfig.of(instances.server("all").address());
            instances.start(HUB, server.withRootPath("/" + HUB));
            spokes.forEach(id -> instances.start(id, server.withRootPath("/" + id)));
            instances.awaitSettled(HUB);
            spokes.forEach(instances::awaitSettled);
            instances.connect(HUB);
            spokes.forEach(id -> instances.connect(id, HUB));
            untilAllSeeAll(instances);
            Traffic converging = total(instances);
            System.out.println(
                    "refused by the hub: " + instances.connectors(HUB).refusals());
            instances.awaitExchanges(INTERVALS);

            // Idle: exchanges follow the interval, and nothing changes.
            Map<String, Integer> events = instances.eventCounts();
            Traffic idle = measure(instances, () -> instances.awaitExchanges(INTERVALS));
            assertThat(instances.eventCounts()).isEqualTo(events);

            // One spoke changes.
            Map<String, Long> before = instances.exchanges();
            Traffic change = measure(instances, () -> {
                instances.get("spoke0").discovery().addPropertyProvider(name -> "blue", "color");
                awaitThat(
                        "all show the property", () -> instances.ids().stream().allMatch(id -> color(instances, id)));
            });
            Map<String, Long> after = instances.exchanges();
            long most = after.keySet().stream()
                    .mapToLong(id -> after.get(id) - before.get(id))
                    .max()
                    .orElseThrow();
            instances.awaitExchanges(INTERVALS);
            instances.ids().forEach(id -> assertThat(
                            instances.get(id).events().subList(events.get(id), events.get(id) + 1))
                    .as("events of " + id)
                    .allMatch(event -> event.getType() == TopologyEvent.Type.PROPERTIES_CHANGED)
                    .hasSize(instances.eventCounts().get(id) - events.get(id)));

            System.out.println(SPOKES + " spokes, until all see all: " + converging);
            System.out.println(SPOKES + " spokes, idle for " + INTERVALS + " exchanges of each: " + idle + ", "
                    + idle.bytesSent() / idle.requests() + " bytes to and " + idle.bytesReceived() / idle.requests()
                    + " bytes from the hub per exchange");
            System.out.println(SPOKES + " spokes, a property of one changes: " + change + ", at most " + most
                    + " exchanges of one spoke");
            assertThat(idle.failures()).isZero();
            // What the hub told is not told to the hub; the hub tells each spoke of all others.
            assertThat(idle.bytesSent() / idle.requests()).isLessThan(BYTES_PER_ANNOUNCEMENT);
            assertThat(idle.bytesReceived() / idle.requests()).isLessThan(SPOKES * BYTES_PER_ANNOUNCEMENT);
        }
    }

    private static boolean color(ConnectedInstances instances, String id) {
        return instances.get(id).discovery().getTopology().getInstances().stream()
                .anyMatch(each -> "blue".equals(each.getProperty("color")));
    }

    private static void untilAllSeeAll(ConnectedInstances instances) {
        Set<String> ids = instances.ids();
        instances.untilAllShow(ids, ids.toArray(String[]::new));
    }

    private static Traffic measure(ConnectedInstances instances, Runnable task) {
        Traffic before = total(instances);
        task.run();
        return difference(total(instances), before);
    }

    /** Returns what all spokes have exchanged. */
    private static Traffic total(ConnectedInstances instances) {
        return instances.ids().stream()
                .flatMap(id -> instances.connectors(id).outgoing().stream())
                .map(Outgoing::traffic)
                .reduce(Traffic.NOTHING, SpokesIT::sum);
    }

    private static Traffic sum(Traffic one, Traffic other) {
        return new Traffic(
                one.requests() + other.requests(),
                one.failures() + other.failures(),
                one.bytesSent() + other.bytesSent(),
                one.bytesReceived() + other.bytesReceived());
    }

    private static Traffic difference(Traffic now, Traffic before) {
        return new Traffic(
                now.requests() - before.requests(),
                now.failures() - before.failures(),
                now.bytesSent() - before.bytesSent(),
                now.bytesReceived() - before.bytesReceived());
    }
}
