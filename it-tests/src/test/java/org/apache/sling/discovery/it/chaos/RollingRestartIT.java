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
import org.junit.jupiter.api.Test;

/** The servers of an ensemble are restarted one after the other, as for an update: no instance has an event. */
class RollingRestartIT {

    private static final int SIZE = 10;

    /** As it is by default. */
    private static final int SESSION_MILLIS = 10_000;

    @Test
    void tenInstancesReceiveNoEvent() throws Exception {
        List<PlainMember> all = new ArrayList<>();
        try (Ensemble ensemble = Ensemble.start(Runs.folder(RollingRestartIT.class))) {
            IntStream.range(0, SIZE)
                    .forEach(i -> all.add(new PlainMember("i" + i, ensemble.connectString(), SESSION_MILLIS)));
            try {
                all.forEach(PlainMember::start);
                awaitThat("all are in one view", () -> all.stream()
                        .allMatch(each -> each.order().size() == SIZE && each.hasReceivedAll()));
                List<List<TopologyEvent.Type>> before =
                        all.stream().map(PlainMember::events).toList();

                for (ServerProcess server : ensemble.servers()) {
                    server.stop();
                    server.start();
                    ensemble.awaitServing();
                }
                assertOnlyOneJoinFollows(all, before, ensemble);
            } finally {
                all.forEach(PlainMember::close);
            }
        }
    }

    /** A change in which all take part shows that all are members, and that there was no event before it. */
    private static void assertOnlyOneJoinFollows(
            List<PlainMember> all, List<List<TopologyEvent.Type>> before, Ensemble ensemble) {
        List<PlainMember> present = List.copyOf(all);
        PlainMember newcomer = new PlainMember("newcomer", ensemble.connectString(), SESSION_MILLIS);
        all.add(newcomer);
        newcomer.start();
        awaitThat("all are in one view with the newcomer", () -> all.stream()
                .allMatch(each -> each.order().size() == SIZE + 1 && each.hasReceivedAll()));
        for (int i = 0; i < present.size(); i++) {
            List<TopologyEvent.Type> expected = new ArrayList<>(before.get(i));
            expected.addAll(List.of(TOPOLOGY_CHANGING, TOPOLOGY_CHANGED));
            assertThat(present.get(i).events()).as("instance " + i).isEqualTo(expected);
        }
    }
}
