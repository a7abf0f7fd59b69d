// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.connectors;

import static org.apache.sling.discovery.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.sling.discovery.commons.report.ConnectorReport;
import org.apache.sling.discovery.commons.report.ConnectorReport.State;
import org.apache.sling.discovery.it.connectors.SlingInstance.Exchange;
import org.apache.sling.discovery.it.connectors.SlingInstance.Known;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An instance of this project opens a connector to Sling's servlet. */
class SlingAsServerIT {

    /** Not in US-ASCII, also beyond the basic plane. */
    private static final String TEXT = "Zürich 東京 \uD83D\uDE00";

    private final String root = "interop-" + UUID.randomUUID();

    @ParameterizedTest
    @EnumSource
    void bothKnowBoth(Mode mode) {
        try (SlingCluster cluster = SlingCluster.start("sling", mode.ofSling());
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance sling = cluster.join("s1", Map.of("role", "author"));
            cluster.join("s2", Map.of("role", "publish"));
            ours.offer(Map.of("text", TEXT));
            ours.connect(mode.ofOurs().urls(sling.url()));
            untilAsserted(() -> assertThat(ours.known())
                    .containsExactly(
                            new Known("s1", "sling", true, Map.of("role", "author")),
                            new Known("s2", "sling", false, Map.of("role", "publish"))));
            untilAsserted(() -> assertThat(sling.known())
                    .isEqualTo(ours.own())
                    .first()
                    .satisfies(known -> assertThat(known.properties()).containsEntry("text", TEXT)));
            assertThat(ours.connector().state()).isEqualTo(State.CONNECTED);
            assertThat(ours.connector().peer()).contains("s1");
            assertThat(sling.exchanges()).allSatisfy(each -> assertThat(each)
                    .isEqualTo(new Exchange(
                            "PUT",
                            "/libs/sling/topology/connector.o1.json",
                            200,
                            mode.gzip() ? "gzip" : "",
                            "application/json; charset=UTF-8",
                            mode.encrypted())));
        }
    }

    @Test
    void aContextPathIsSignedToo() {
        Map<String, Object> configuration = Mode.ENCRYPTED.ofSling();
        configuration.put("contextPath", "/sling app");
        try (SlingCluster cluster = SlingCluster.start("sling", configuration);
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance sling = cluster.join("s1");
            ours.connect(Mode.ENCRYPTED.ofOurs().urls(sling.url().replace("/libs", "/sling%20app/libs")));
            untilAsserted(() -> assertThat(ours.knownIds()).containsExactly("s1"));
            untilAsserted(() -> assertThat(sling.knownIds()).containsExactly("o1"));
        }
    }

    /** Sling reads texts in the charset that the server assumes, which garbles those of Sling. */
    @Test
    void ourTextSurvivesServersThatAssumeWhatServletsSay() {
        try (SlingCluster cluster = SlingCluster.start("sling", Map.of("assumedCharset", "ISO-8859-1"));
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            textArrives(cluster, ours, OurSettings.DEFAULT);
        }
    }

    /** Sling reads compressed texts in the charset of its platform, which garbles those of Sling. */
    @Test
    void ourTextSurvivesMachinesWithAnotherCharset() {
        try (SlingCluster cluster = SlingCluster.start("sling", Map.of(), List.of("-Dfile.encoding=ISO-8859-1"));
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            textArrives(cluster, ours, OurSettings.DEFAULT.gzip(true));
        }
    }

    private static void textArrives(SlingCluster cluster, OurInstance ours, OurSettings settings) {
        SlingInstance sling = cluster.join("s1", Map.of("text", TEXT));
        ours.offer(Map.of("text", TEXT));
        ours.connect(settings.urls(sling.url()));
        untilAsserted(() -> assertThat(sling.known()).singleElement().satisfies(known -> assertThat(known.properties())
                .containsEntry("text", TEXT)));
        untilAsserted(
                () -> assertThat(ours.known()).containsExactly(new Known("s1", "sling", true, Map.of("text", TEXT))));
    }

    @Test
    void changesArriveOnBothSides() {
        try (SlingCluster cluster = SlingCluster.start("sling", Map.of());
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance sling = cluster.join("s1");
            ours.connect(OurSettings.DEFAULT.times(1, 120).urls(sling.url()));
            untilAsserted(() -> assertThat(sling.knownIds()).containsExactly("o1"));
            ours.offer(Map.of("load", "9"));
            untilAsserted(() -> assertThat(sling.known().get(0).properties()).containsEntry("load", "9"));
            sling.offer(Map.of("load", "7"));
            cluster.join("s2");
            untilAsserted(() -> assertThat(ours.known())
                    .containsExactly(
                            new Known("s1", "sling", true, Map.of("load", "7")),
                            new Known("s2", "sling", false, Map.of())));
        }
    }

    @Test
    void backOffGrowsAndAChangeResetsIt() {
        Map<String, ?> impatient = Map.of("connectorPingInterval", 1, "connectorPingTimeout", 2);
        try (SlingCluster cluster = SlingCluster.start("sling", impatient);
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance sling = cluster.join("s1");
            ours.connect(OurSettings.DEFAULT.times(1, 120).urls(sling.url()));
            untilAsserted(() -> assertThat(wait(ours.connector())).isGreaterThan(Duration.ofMillis(1_900)));
            ours.offer(Map.of("load", "9"));
            untilAsserted(() -> assertThat(wait(ours.connector())).isLessThan(Duration.ofMillis(1_100)));
        }
    }

    @Test
    void aChangeIsSentInSpiteOfTheBackOff() {
        Map<String, ?> patient = Map.of("connectorPingInterval", 1_000, "connectorPingTimeout", 1);
        try (SlingCluster cluster = SlingCluster.start("sling", patient);
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance sling = cluster.join("s1");
            ours.connect(OurSettings.DEFAULT.times(1, 120).urls(sling.url()));
            untilAsserted(() -> assertThat(wait(ours.connector())).isGreaterThan(Duration.ofSeconds(900)));
            long before = ours.connector().traffic().requests();
            ours.offer(Map.of("load", "9"));
            untilAsserted(
                    () -> assertThat(ours.connector().traffic().requests()).isGreaterThan(before));
        }
    }

    /** How long a connector waits between the last ping and the next. */
    private static Duration wait(ConnectorReport.Outgoing connector) {
        return Duration.ofMillis(connector.nextPingMillis().orElse(0)
                - connector.exchangedMillis().orElse(0));
    }

    @ParameterizedTest
    @EnumSource(names = {"PLAIN", "ENCRYPTED"})
    void slingForgetsAnInstanceThatLeaves(Mode mode) {
        try (SlingCluster cluster = SlingCluster.start("sling", mode.ofSling())) {
            SlingInstance sling = cluster.join("s1");
            try (OurInstance ours = OurInstance.join(root, "ours", "o1")) {
                ours.connect(mode.ofOurs().urls(sling.url()));
                untilAsserted(() -> assertThat(sling.knownIds()).containsExactly("o1"));
            }
            assertThat(sling.knownIds()).isEmpty();
            assertThat(sling.exchanges())
                    .last()
                    .isEqualTo(new Exchange(
                            "DELETE", "/libs/sling/topology/connector.o1.json", 200, "", "", mode.encrypted()));
        }
    }

    @Test
    void slingForgetsAConnectorThatIsNotConfiguredAnyMore() {
        try (SlingCluster cluster = SlingCluster.start("sling", Map.of());
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance sling = cluster.join("s1");
            ours.connect(OurSettings.DEFAULT.urls(sling.url()));
            untilAsserted(() -> assertThat(ours.knownIds()).containsExactly("s1"));
            ours.connect(OurSettings.DEFAULT);
            untilAsserted(() -> assertThat(sling.knownIds()).isEmpty());
            untilAsserted(() -> assertThat(ours.knownIds()).isEmpty());
        }
    }

    @Test
    void slingRefusesWhoIsNotOnItsList() {
        refused(
                Map.of("topologyConnectorWhitelist", List.of("10.0.0.1")),
                OurSettings.DEFAULT,
                "status 404: it does not let this instance connect");
    }

    @Test
    void slingRefusesAnotherKey() {
        refused(
                Mode.ENCRYPTED.ofSling(),
                OurSettings.DEFAULT.trust(Mode.trust("other", true)),
                "status 404: it does not let this instance connect");
    }

    /** The receiver of Sling fails on a message that is signed and not encrypted. */
    @Test
    void slingDoesNotReadWhatIsOnlySigned() {
        Map<String, Object> signed = Mode.PLAIN.ofSling();
        signed.put("hmacEnabled", true);
        refused(
                signed,
                OurSettings.DEFAULT.trust(Mode.trust("s3cret", false)),
                "signatures without encryption are a cause with peers of Sling");
    }

    private void refused(Map<String, ?> ofSling, OurSettings ofOurs, String sentence) {
        try (SlingCluster cluster = SlingCluster.start("sling", ofSling);
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance sling = cluster.join("s1");
            ours.connect(ofOurs.urls(sling.url()));
            untilAsserted(() -> assertThat(ours.connector().state()).isEqualTo(State.FAILING));
            assertThat(ours.connector().sentence()).contains(sentence);
            assertThat(ours.knownIds()).isEmpty();
            assertThat(sling.knownIds()).isEmpty();
        }
    }

    @Test
    void slingIsAskedAgainUntilItHasAView() {
        try (SlingCluster cluster = SlingCluster.start("sling", Map.of());
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance sling = cluster.join("s1");
            cluster.settle(false);
            ours.connect(OurSettings.DEFAULT.times(1, 120).urls(sling.url()));
            untilAsserted(() -> assertThat(ours.connector().sentence()).contains("status 503"));
            assertThat(ours.connector().state()).isEqualTo(State.FAILING);
            cluster.settle(true);
            untilAsserted(() -> assertThat(ours.knownIds()).containsExactly("s1"));
            untilAsserted(() -> assertThat(sling.knownIds()).containsExactly("o1"));
        }
    }

    @Test
    void aKilledSlingExpires() {
        try (SlingCluster cluster = SlingCluster.start("sling", Map.of());
                OurInstance ours = OurInstance.join(root, "ours", "o1")) {
            SlingInstance sling = cluster.join("s1");
            ours.connect(OurSettings.DEFAULT.times(1, 3).urls(sling.url()));
            untilAsserted(() -> assertThat(ours.knownIds()).containsExactly("s1"));
            cluster.kill();
            untilAsserted(() -> assertThat(ours.knownIds()).isEmpty());
            assertThat(ours.connector().state()).isEqualTo(State.FAILING);
        }
    }
}
