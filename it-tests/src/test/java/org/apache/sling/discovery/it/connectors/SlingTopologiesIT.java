// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.connectors;

import static org.apache.sling.discovery.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.sling.discovery.commons.report.ConnectorReport.State;
import org.apache.sling.discovery.it.connectors.SlingInstance.Connector;
import org.apache.sling.discovery.it.connectors.SlingInstance.Known;
import org.junit.jupiter.api.Test;

/** Several clusters of Sling and of this project in one topology. */
class SlingTopologiesIT {

    private static final OurSettings OFTEN = OurSettings.DEFAULT.times(1, 120);

    private final String root = "interop-" + UUID.randomUUID();

    /** Sling, this project and Sling again: each end learns of the other through the middle. */
    @Test
    void aClusterOfOursPassesOnWhatSlingSays() {
        try (SlingCluster left = SlingCluster.start("left", Map.of());
                SlingCluster right = SlingCluster.start("right", Map.of());
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance l1 = left.join("l1", Map.of("side", "left"));
            SlingInstance r1 = right.join("r1", Map.of("side", "right"));
            ours.connect(OFTEN.urls(r1.url()));
            l1.connect(ours.url());
            Known l = new Known("l1", "left", true, Map.of("side", "left"));
            Known r = new Known("r1", "right", true, Map.of("side", "right"));
            Known o = ours.own().get(0);
            untilAsserted(() -> assertThat(ours.known()).containsExactlyInAnyOrder(l, r));
            untilAsserted(() -> assertThat(r1.known()).containsExactlyInAnyOrder(l, o));
            untilAsserted(() -> {
                l1.pingByForce();
                assertThat(l1.known()).containsExactlyInAnyOrder(r, o);
            });
            assertThat(l1.connector().loop()).isFalse();
            assertThat(ours.connector().state()).isEqualTo(State.CONNECTED);
        }
    }

    /** What another member of Sling's cluster holds arrives through the member that is connected. */
    @Test
    void slingPassesOnWhatItsMembersHold() {
        try (SlingCluster cluster = SlingCluster.start("sling", Map.of());
                SlingCluster third = SlingCluster.start("third", Map.of());
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance s1 = cluster.join("s1");
            SlingInstance s2 = cluster.join("s2");
            SlingInstance t1 = third.join("t1");
            t1.connect(s2.url());
            ours.connect(OFTEN.urls(s1.url()));
            untilAsserted(() -> assertThat(ours.knownIds()).containsExactlyInAnyOrder("s1", "s2", "t1"));
            untilAsserted(() -> {
                t1.pingByForce();
                assertThat(t1.knownIds()).containsExactlyInAnyOrder("s1", "s2", "o1");
            });
            t1.leave();
            untilAsserted(() -> assertThat(ours.knownIds()).containsExactly("s1", "s2"));
        }
    }

    /** What one member of our cluster holds is in the topology of the other, and is passed on by it. */
    @Test
    void ourMembersShareWhatSlingSays() {
        try (SlingCluster left = SlingCluster.start("left", Map.of());
                SlingCluster right = SlingCluster.start("right", Map.of());
                OurInstance o1 = OurInstance.join(root, "ours", "o1");
                OurInstance o2 = OurInstance.join(root, "ours", "o2")) {
            SlingInstance l1 = left.join("l1");
            SlingInstance r1 = right.join("r1");
            o1.connect(OFTEN);
            o2.connect(OFTEN.urls(r1.url()));
            l1.connect(o1.url());
            untilAsserted(() -> assertThat(o1.knownIds()).containsExactlyInAnyOrder("l1", "r1"));
            untilAsserted(() -> assertThat(o2.knownIds()).containsExactlyInAnyOrder("l1", "r1"));
            untilAsserted(() -> assertThat(r1.knownIds()).containsExactlyInAnyOrder("o1", "o2", "l1"));
        }
    }

    /** Of two connectors in opposite directions one stands by; no side loses the other. */
    @Test
    void connectorsInBothDirectionsKeepOneAnother() {
        try (SlingCluster cluster = SlingCluster.start("sling", Map.of());
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance sling = cluster.join("s1");
            ours.connect(OFTEN);
            sling.connect(ours.url());
            untilAsserted(() -> assertThat(ours.knownIds()).containsExactly("s1"));
            ours.connect(OFTEN.urls(sling.url()));
            untilAsserted(() -> {
                sling.pingByForce();
                boolean one = ours.connector().state() == State.CONNECTED;
                Connector other = sling.connector();
                assertThat(one).isNotEqualTo(other.connected() && !other.loop());
                assertThat(ours.knownIds()).containsExactly("s1");
                assertThat(sling.knownIds()).containsExactly("o1");
            });
        }
    }

    /** The second connector between two clusters stands by, and takes over when the first one ends. */
    @Test
    void aSecondConnectorFromSlingStandsByAndTakesOver() {
        try (SlingCluster cluster = SlingCluster.start("sling", Map.of());
                OurInstance o1 = OurInstance.join(root, "ours", "o1");
                OurInstance o2 = OurInstance.join(root, "ours", "o2")) {
            SlingInstance s1 = cluster.join("s1");
            SlingInstance s2 = cluster.join("s2");
            o1.connect(OFTEN);
            o2.connect(OFTEN);
            s1.connect(o1.url());
            untilAsserted(() -> assertThat(o2.knownIds()).containsExactly("s1", "s2"));
            s2.connect(o2.url());
            assertThat(s2.connector().status()).isEqualTo(200);
            assertThat(s2.connector().loop()).isTrue();
            assertThat(s2.connector().nextPing())
                    .as("back-off of a stand-by connector")
                    .isGreaterThan(1);
            s1.disconnect();
            untilAsserted(() -> {
                s2.pingByForce();
                assertThat(s2.connector().loop()).isFalse();
            });
            untilAsserted(() -> assertThat(o1.knownIds()).containsExactly("s1", "s2"));
        }
    }

    /** The second connector of our cluster stands by, and takes over when the instance with the first one has left. */
    @Test
    void aSecondConnectorToSlingStandsByAndTakesOver() {
        try (SlingCluster cluster = SlingCluster.start("sling", Map.of());
                OurInstance o1 = OurInstance.join(root, "ours", "o1")) {
            SlingInstance s1 = cluster.join("s1");
            try (OurInstance o2 = OurInstance.join(root, "ours", "o2")) {
                o2.connect(OFTEN.urls(s1.url()));
                untilAsserted(() -> assertThat(o1.knownIds()).containsExactly("s1"));
                o1.connect(OFTEN.urls(s1.url()));
                untilAsserted(() -> assertThat(o1.connector().state()).isNotEqualTo(State.CONNECTING));
                untilAsserted(() -> assertThat(
                                List.of(o1.connector().state(), o2.connector().state()))
                        .containsExactlyInAnyOrder(State.CONNECTED, State.STANDBY));
                untilAsserted(() -> assertThat(s1.knownIds()).containsExactly("o1", "o2"));
            }
            untilAsserted(() -> assertThat(o1.connector().state()).isEqualTo(State.CONNECTED));
            untilAsserted(() -> assertThat(s1.knownIds()).containsExactly("o1"));
            assertThat(o1.knownIds()).containsExactly("s1");
        }
    }

    /** Three clusters in a ring, with Sling at two places: each knows each other one once. */
    @Test
    void aRingConverges() {
        try (SlingCluster left = SlingCluster.start("left", Map.of());
                SlingCluster right = SlingCluster.start("right", Map.of());
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance l1 = left.join("l1");
            SlingInstance r1 = right.join("r1");
            ours.connect(OFTEN.urls(l1.url()));
            untilAsserted(() -> assertThat(l1.knownIds()).containsExactly("o1"));
            l1.connect(r1.url());
            r1.connect(ours.url());
            untilAsserted(() -> {
                l1.pingByForce();
                r1.pingByForce();
                assertThat(ours.knownIds()).containsExactlyInAnyOrder("l1", "r1");
                assertThat(l1.knownIds()).containsExactlyInAnyOrder("o1", "r1");
                assertThat(r1.knownIds()).containsExactlyInAnyOrder("o1", "l1");
            });
        }
    }
}
