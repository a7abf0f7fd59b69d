// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.connectors;

import static org.apache.sling.discovery.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.sling.discovery.commons.report.ConnectorReport.Incoming;
import org.apache.sling.discovery.it.connectors.SlingInstance.Known;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sling opens a connector to an instance of this project. */
class SlingAsClientIT {

    /** Not in US-ASCII, also beyond the basic plane. */
    private static final String TEXT = "Zürich 東京 \uD83D\uDE00";

    private final String root = "interop-" + UUID.randomUUID();

    /** Sling names no charset; what it sends is in UTF-8 all the same, and is read so. */
    @ParameterizedTest
    @EnumSource
    void bothKnowBoth(Mode mode) {
        try (SlingCluster cluster = SlingCluster.start("sling", mode.ofSling());
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance sling = cluster.join("s1", Map.of("text", TEXT));
            cluster.join("s2");
            ours.offer(Map.of("text", TEXT));
            untilAsserted(() -> assertThat(ours.own().get(0).properties()).containsEntry("text", TEXT));
            ours.connect(mode.ofOurs());
            sling.connect(ours.url());
            assertThat(sling.connector().status()).isEqualTo(200);
            assertThat(sling.connector().connected()).isTrue();
            assertThat(sling.connector().remote()).isEqualTo("o1");
            assertThat(sling.known()).isEqualTo(ours.own());
            untilAsserted(() -> assertThat(ours.known())
                    .containsExactly(
                            new Known("s1", "sling", true, Map.of("text", TEXT)),
                            new Known("s2", "sling", false, Map.of())));
            assertThat(ours.report().incoming()).extracting(Incoming::ownerId).containsExactly("s1");
        }
    }

    /** Without a charset in the reply, a client of Sling on such a machine would read it as something else. */
    @Test
    void ourTextSurvivesMachinesWithAnotherCharset() {
        Map<String, Object> configuration = Mode.ENCRYPTED.ofSling();
        try (SlingCluster cluster = SlingCluster.start("sling", configuration, List.of("-Dfile.encoding=ISO-8859-1"));
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance sling = cluster.join("s1");
            ours.offer(Map.of("text", TEXT));
            untilAsserted(() -> assertThat(ours.own().get(0).properties()).containsEntry("text", TEXT));
            ours.connect(Mode.ENCRYPTED.ofOurs());
            sling.connect(ours.url());
            assertThat(sling.known()).isEqualTo(ours.own());
        }
    }

    @Test
    void changesArriveOnBothSides() {
        try (SlingCluster cluster = SlingCluster.start("sling", Map.of());
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance sling = cluster.join("s1");
            ours.connect(OurSettings.DEFAULT);
            sling.connect(ours.url());
            untilAsserted(() -> assertThat(ours.knownIds()).containsExactly("s1"));
            sling.offer(Map.of("load", "7"));
            cluster.join("s2");
            sling.pingByForce();
            untilAsserted(() -> assertThat(ours.known())
                    .containsExactly(
                            new Known("s1", "sling", true, Map.of("load", "7")),
                            new Known("s2", "sling", false, Map.of())));
            ours.offer(Map.of("load", "9"));
            untilAsserted(() -> {
                sling.ping();
                assertThat(sling.known().get(0).properties()).containsEntry("load", "9");
            });
        }
    }

    @Test
    void backOffGrowsAndAChangeResetsIt() {
        try (SlingCluster cluster =
                        SlingCluster.start("sling", Map.of("connectorPingInterval", 1, "connectorPingTimeout", 60));
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance sling = cluster.join("s1");
            ours.connect(OurSettings.DEFAULT.times(10, 1));
            sling.connect(ours.url());
            untilAsserted(() -> {
                sling.ping();
                assertThat(sling.connector().nextPing()).isGreaterThan(5);
            });
            int before = ours.puts();
            sling.ping();
            assertThat(ours.puts()).as("pings in spite of the back-off").isEqualTo(before);
            sling.pingByForce();
            assertThat(ours.puts()).isEqualTo(before + 1);
            assertThat(sling.connector().nextPing()).isLessThan(2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PLAIN", "ENCRYPTED"})
    void ourSideForgetsAnInstanceThatLeaves(Mode mode) {
        try (SlingCluster cluster = SlingCluster.start("sling", mode.ofSling());
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance sling = cluster.join("s1");
            ours.connect(mode.ofOurs());
            sling.connect(ours.url());
            untilAsserted(() -> assertThat(ours.knownIds()).containsExactly("s1"));
            sling.leave();
            untilAsserted(() -> assertThat(ours.knownIds()).isEmpty());
            assertThat(ours.report().incoming()).isEmpty();
            assertThat(ours.report().refusals()).isEmpty();
        }
    }

    @Test
    void whoIsNotOnTheListFindsNothing() {
        refused(Map.of(), OurSettings.DEFAULT.allowed("10.0.0.1"), 404);
    }

    @Test
    void anotherKeyFindsNothing() {
        refused(Mode.ENCRYPTED.ofSling(), OurSettings.DEFAULT.trust(Mode.trust("other", true)), 404);
    }

    @Test
    void whoDoesNotSignFindsNothing() {
        refused(Map.of(), Mode.ENCRYPTED.ofOurs(), 404);
    }

    private void refused(Map<String, ?> ofSling, OurSettings ofOurs, int status) {
        try (SlingCluster cluster = SlingCluster.start("sling", ofSling);
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance sling = cluster.join("s1");
            ours.connect(ofOurs);
            sling.connect(ours.url());
            assertThat(sling.connector().status()).isEqualTo(status);
            assertThat(sling.connector().connected()).isFalse();
            assertThat(sling.knownIds()).isEmpty();
            assertThat(ours.knownIds()).isEmpty();
            assertThat(ours.report().incoming()).isEmpty();
            assertThat(ours.report().refusals()).singleElement().satisfies(refusal -> assertThat(refusal.status())
                    .isEqualTo(status));
        }
    }

    /** Sling cannot read any message that is signed and not encrypted; ours reads that of Sling, and Sling not the reply. */
    @Test
    void slingDoesNotReadAReplyThatIsOnlySigned() {
        Map<String, Object> signed = Mode.PLAIN.ofSling();
        signed.put("hmacEnabled", true);
        try (SlingCluster cluster = SlingCluster.start("sling", signed);
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance sling = cluster.join("s1");
            ours.connect(OurSettings.DEFAULT.trust(Mode.trust("s3cret", false)));
            sling.connect(ours.url());
            assertThat(sling.connector().status()).isEqualTo(200);
            assertThat(sling.connector().connected()).isFalse();
            untilAsserted(() -> assertThat(ours.knownIds()).containsExactly("s1"));
        }
    }

    @Test
    void ourSideIsUnavailableUntilItHasAView() {
        try (SlingCluster cluster = SlingCluster.start("sling", Map.of());
                OurInstance ours = OurInstance.of(root, "ours", "o1")) {
            SlingInstance sling = cluster.join("s1");
            ours.connect(OurSettings.DEFAULT);
            sling.connect(ours.url());
            assertThat(sling.connector().status()).isEqualTo(503);
            ours.join();
            untilAsserted(() -> {
                sling.ping();
                assertThat(sling.connector().connected()).isTrue();
            });
            untilAsserted(() -> assertThat(ours.knownIds()).containsExactly("s1"));
        }
    }

    @Test
    void aKilledSlingExpires() {
        try (SlingCluster cluster = SlingCluster.start("sling", Map.of());
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance sling = cluster.join("s1");
            ours.connect(OurSettings.DEFAULT.times(1, 3));
            sling.connect(ours.url());
            untilAsserted(() -> {
                sling.ping();
                assertThat(ours.knownIds()).containsExactly("s1");
            });
            cluster.kill();
            untilAsserted(() -> assertThat(ours.knownIds()).isEmpty());
        }
    }

    @Test
    void ourInstanceThatEndsExpiresAtSling() {
        Map<String, ?> impatient = Map.of("connectorPingInterval", 1, "connectorPingTimeout", 5);
        try (SlingCluster cluster = SlingCluster.start("sling", impatient)) {
            SlingInstance sling = cluster.join("s1");
            try (OurInstance ours = OurInstance.join(root, "ours", "o1")) {
                ours.connect(OurSettings.DEFAULT);
                sling.connect(ours.url());
                assertThat(sling.knownIds()).containsExactly("o1");
            }
            untilAsserted(() -> {
                sling.ping();
                assertThat(sling.knownIds()).isEmpty();
            });
        }
    }
}
