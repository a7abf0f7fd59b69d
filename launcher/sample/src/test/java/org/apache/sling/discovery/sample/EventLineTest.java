// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.sample;

import static org.apache.sling.discovery.TopologyEvent.Type.PROPERTIES_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGING;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalTime;
import java.util.Map;
import org.apache.sling.discovery.TopologyEvent;
import org.junit.jupiter.api.Test;

class EventLineTest {

    private static final String A = "aaaaaaaa-0000-4000-8000-000000000001";
    private static final String B = "bbbbbbbb-0000-4000-8000-000000000002";
    private static final LocalTime TIME = LocalTime.of(10, 15, 30, 123_000_000);

    @Test
    void theFirstViewShowsAllAsComers() {
        assertThat(line(new TopologyEvent(TOPOLOGY_INIT, null, FakeTopology.of(41, A, B))))
                .isEqualTo("10:15:30.123 TOPOLOGY_INIT view=41 leader=aaaaaaaa order=aaaaaaaa,bbbbbbbb"
                        + " came=aaaaaaaa,bbbbbbbb went=- local=aaaaaaaa");
    }

    @Test
    void aBeginningChangeShowsTheViewThatEnded() {
        assertThat(line(new TopologyEvent(TOPOLOGY_CHANGING, FakeTopology.of(41, A, B), null)))
                .isEqualTo("10:15:30.123 TOPOLOGY_CHANGING view=41 leader=aaaaaaaa order=aaaaaaaa,bbbbbbbb"
                        + " local=aaaaaaaa");
    }

    @Test
    void aChangeShowsJoinsAndLeaves() {
        assertThat(line(new TopologyEvent(
                        TOPOLOGY_CHANGED, FakeTopology.of(41, A, B), FakeTopology.of(42, A, "node-3"))))
                .isEqualTo("10:15:30.123 TOPOLOGY_CHANGED view=42 leader=aaaaaaaa order=aaaaaaaa,node-3"
                        + " came=node-3 went=bbbbbbbb local=aaaaaaaa");
    }

    @Test
    void changedPropertiesAreNamedWithoutTheirValues() {
        FakeTopology before = FakeTopology.of(42, A, B).with(B, Map.of("kept", "1", "gone", "2", "other", "3"));
        FakeTopology after = FakeTopology.of(42, A, B).with(B, Map.of("kept", "1", "new", "2", "other", "x\ny"));

        assertThat(line(new TopologyEvent(PROPERTIES_CHANGED, before, after)))
                .endsWith(" came=- went=- changed=bbbbbbbb:gone,bbbbbbbb:new,bbbbbbbb:other local=aaaaaaaa");
    }

    @Test
    void aViewOfAnotherImplementationHasNoNumber() {
        assertThat(line(new TopologyEvent(TOPOLOGY_INIT, null, FakeTopology.unnumbered(A))))
                .contains(" view=- ");
    }

    private static String line(TopologyEvent event) {
        return EventLine.of(TIME, event);
    }
}
