// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGING;
import static org.apache.sling.discovery.it.chaos.Limits.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.it.cluster.PlainInstance;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;
import org.junit.jupiter.api.Test;

/** The servers of an ensemble are restarted one after the other, as for an update: no instance has an event. */
class RollingRestartIT {

    private static final int SIZE = 10;

    /** As it is by default. */
    private static final int SESSION_MILLIS = 10_000;

    @Test
    void tenInstancesReceiveNoEvent() throws Exception {
        List<PlainInstance> all = new ArrayList<>();
        try (Ensemble ensemble = Ensemble.start(Runs.folder(RollingRestartIT.class))) {
            IntStream.range(0, SIZE).forEach(i -> all.add(instance("i" + i, ensemble)));
            try {
                all.forEach(PlainInstance::start);
                awaitThat("all are in one view", () -> all.stream()
                        .allMatch(each -> each.order().size() == SIZE && each.hasReceivedItsView()));
                List<List<TopologyEvent.Type>> before =
                        all.stream().map(RollingRestartIT::events).toList();

                for (ServerProcess server : ensemble.servers()) {
                    server.stop();
                    server.start();
                    ensemble.awaitServing();
                }
                assertOnlyOneJoinFollows(all, before, ensemble);
            } finally {
                all.forEach(PlainInstance::close);
            }
        }
    }

    /** A change in which all take part shows that all are members, and that there was no event before it. */
    private static void assertOnlyOneJoinFollows(
            List<PlainInstance> all, List<List<TopologyEvent.Type>> before, Ensemble ensemble) {
        List<PlainInstance> present = List.copyOf(all);
        PlainInstance newcomer = instance("newcomer", ensemble);
        all.add(newcomer);
        newcomer.start();
        awaitThat("all are in one view with the newcomer", () -> all.stream()
                .allMatch(each -> each.order().size() == SIZE + 1 && each.hasReceivedItsView()));
        for (int i = 0; i < present.size(); i++) {
            List<TopologyEvent.Type> expected = new ArrayList<>(before.get(i));
            expected.addAll(List.of(TOPOLOGY_CHANGING, TOPOLOGY_CHANGED));
            assertThat(events(present.get(i))).as("instance " + i).isEqualTo(expected);
        }
    }

    private static PlainInstance instance(String id, Ensemble ensemble) {
        return new PlainInstance(
                id, ZooKeeperStoreConfig.of(ensemble.connectString()).withSessionTimeout(SESSION_MILLIS));
    }

    private static List<TopologyEvent.Type> events(PlainInstance instance) {
        return instance.events().stream().map(TopologyEvent::getType).toList();
    }
}
