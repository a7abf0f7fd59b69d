// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.connectors;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.it.connectors.SlingInstance.Connector;
import io.github.discoveryzk.it.connectors.SlingInstance.Known;
import io.github.discoveryzk.report.ConnectorReport.ConnectorState;
import java.util.List;
import java.util.Map;
import java.util.UUID;
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
                PlainInstance ours = Ours.join(root, "o1")) {
            SlingInstance l1 = left.join("l1", Map.of("side", "left"));
            SlingInstance r1 = right.join("r1", Map.of("side", "right"));
            Ours.connect(ours, OFTEN.urls(r1.url()));
            l1.connect(ours.endpoint().url());
            Known l = new Known("l1", "left", true, Map.of("side", "left"));
            Known r = new Known("r1", "right", true, Map.of("side", "right"));
            Known o = Ours.own(ours).get(0);
            untilAsserted(() -> assertThat(Ours.known(ours)).containsExactlyInAnyOrder(l, r));
            untilAsserted(() -> assertThat(r1.known()).containsExactlyInAnyOrder(l, o));
            untilAsserted(() -> {
                l1.pingByForce();
                assertThat(l1.known()).containsExactlyInAnyOrder(r, o);
            });
            assertThat(l1.connector().loop()).isFalse();
            assertThat(Ours.connector(ours).state()).isEqualTo(ConnectorState.CONNECTED);
        }
    }

    /** What another member of Sling's cluster holds arrives through the member that is connected. */
    @Test
    void slingPassesOnWhatItsMembersHold() {
        try (SlingCluster cluster = SlingCluster.start("sling", Map.of());
                SlingCluster third = SlingCluster.start("third", Map.of());
                PlainInstance ours = Ours.join(root, "o1")) {
            SlingInstance s1 = cluster.join("s1");
            SlingInstance s2 = cluster.join("s2");
            SlingInstance t1 = third.join("t1");
            t1.connect(s2.url());
            Ours.connect(ours, OFTEN.urls(s1.url()));
            untilAsserted(() -> assertThat(Ours.knownIds(ours)).containsExactlyInAnyOrder("s1", "s2", "t1"));
            untilAsserted(() -> {
                t1.pingByForce();
                assertThat(t1.knownIds()).containsExactlyInAnyOrder("s1", "s2", "o1");
            });
            t1.leave();
            untilAsserted(() -> assertThat(Ours.knownIds(ours)).containsExactly("s1", "s2"));
        }
    }

    /** What one member of our cluster holds is in the topology of the other, and is passed on by it. */
    @Test
    void ourMembersShareWhatSlingSays() {
        try (SlingCluster left = SlingCluster.start("left", Map.of());
                SlingCluster right = SlingCluster.start("right", Map.of());
                PlainInstance o1 = Ours.join(root, "o1");
                PlainInstance o2 = Ours.join(root, "o2")) {
            SlingInstance l1 = left.join("l1");
            SlingInstance r1 = right.join("r1");
            Ours.connect(o1, OFTEN);
            Ours.connect(o2, OFTEN.urls(r1.url()));
            l1.connect(o1.endpoint().url());
            untilAsserted(() -> assertThat(Ours.knownIds(o1)).containsExactlyInAnyOrder("l1", "r1"));
            untilAsserted(() -> assertThat(Ours.knownIds(o2)).containsExactlyInAnyOrder("l1", "r1"));
            untilAsserted(() -> assertThat(r1.knownIds()).containsExactlyInAnyOrder("o1", "o2", "l1"));
        }
    }

    /** Of two connectors in opposite directions one stands by; no side loses the other. */
    @Test
    void connectorsInBothDirectionsKeepOneAnother() {
        try (SlingCluster cluster = SlingCluster.start("sling", Map.of());
                PlainInstance ours = Ours.join(root, "o1")) {
            SlingInstance sling = cluster.join("s1");
            Ours.connect(ours, OFTEN);
            sling.connect(ours.endpoint().url());
            untilAsserted(() -> assertThat(Ours.knownIds(ours)).containsExactly("s1"));
            Ours.connect(ours, OFTEN.urls(sling.url()));
            untilAsserted(() -> {
                sling.pingByForce();
                boolean one = Ours.connector(ours).state() == ConnectorState.CONNECTED;
                Connector other = sling.connector();
                assertThat(one).isNotEqualTo(other.connected() && !other.loop());
                assertThat(Ours.knownIds(ours)).containsExactly("s1");
                assertThat(sling.knownIds()).containsExactly("o1");
            });
        }
    }

    /** The second connector between two clusters stands by, and takes over when the first one ends. */
    @Test
    void aSecondConnectorFromSlingStandsByAndTakesOver() {
        try (SlingCluster cluster = SlingCluster.start("sling", Map.of());
                PlainInstance o1 = Ours.join(root, "o1");
                PlainInstance o2 = Ours.join(root, "o2")) {
            SlingInstance s1 = cluster.join("s1");
            SlingInstance s2 = cluster.join("s2");
            Ours.connect(o1, OFTEN);
            Ours.connect(o2, OFTEN);
            s1.connect(o1.endpoint().url());
            untilAsserted(() -> assertThat(Ours.knownIds(o2)).containsExactly("s1", "s2"));
            s2.connect(o2.endpoint().url());
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
            untilAsserted(() -> assertThat(Ours.knownIds(o1)).containsExactly("s1", "s2"));
        }
    }

    /** The second connector of our cluster stands by, and takes over when the instance with the first one has left. */
    @Test
    void aSecondConnectorToSlingStandsByAndTakesOver() {
        try (SlingCluster cluster = SlingCluster.start("sling", Map.of());
                PlainInstance o1 = Ours.join(root, "o1")) {
            SlingInstance s1 = cluster.join("s1");
            try (PlainInstance o2 = Ours.join(root, "o2")) {
                Ours.connect(o2, OFTEN.urls(s1.url()));
                untilAsserted(() -> assertThat(Ours.knownIds(o1)).containsExactly("s1"));
                Ours.connect(o1, OFTEN.urls(s1.url()));
                untilAsserted(() -> assertThat(Ours.connector(o1).state()).isNotEqualTo(ConnectorState.CONNECTING));
                untilAsserted(() -> assertThat(List.of(
                                Ours.connector(o1).state(), Ours.connector(o2).state()))
                        .containsExactlyInAnyOrder(ConnectorState.CONNECTED, ConnectorState.STANDBY));
                untilAsserted(() -> assertThat(s1.knownIds()).containsExactly("o1", "o2"));
            }
            untilAsserted(() -> assertThat(Ours.connector(o1).state()).isEqualTo(ConnectorState.CONNECTED));
            untilAsserted(() -> assertThat(s1.knownIds()).containsExactly("o1"));
            assertThat(Ours.knownIds(o1)).containsExactly("s1");
        }
    }

    /** Three clusters in a ring, with Sling at two places: each knows each other one once. */
    @Test
    void aRingConverges() {
        try (SlingCluster left = SlingCluster.start("left", Map.of());
                SlingCluster right = SlingCluster.start("right", Map.of());
                PlainInstance ours = Ours.join(root, "o1")) {
            SlingInstance l1 = left.join("l1");
            SlingInstance r1 = right.join("r1");
            Ours.connect(ours, OFTEN.urls(l1.url()));
            untilAsserted(() -> assertThat(l1.knownIds()).containsExactly("o1"));
            l1.connect(r1.url());
            r1.connect(ours.endpoint().url());
            untilAsserted(() -> {
                l1.pingByForce();
                r1.pingByForce();
                assertThat(Ours.knownIds(ours)).containsExactlyInAnyOrder("l1", "r1");
                assertThat(l1.knownIds()).containsExactlyInAnyOrder("o1", "r1");
                assertThat(r1.knownIds()).containsExactlyInAnyOrder("o1", "l1");
            });
        }
    }
}
