// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.connectors;

import static io.github.discoveryzk.it.connectors.Ours.connector;
import static io.github.discoveryzk.it.connectors.Ours.known;
import static io.github.discoveryzk.it.connectors.Ours.own;
import static io.github.discoveryzk.it.connectors.Ours.report;
import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.it.connectors.SlingInstance.Exchange;
import io.github.discoveryzk.it.connectors.SlingInstance.Known;
import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.report.ConnectorReport.Incoming;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A connector between Sling and an instance of this project, opened by the one or by the other. */
class SlingInteropIT {

    /** Not in US-ASCII, also beyond the basic plane. */
    private static final String TEXT = "Zürich 東京 \uD83D\uDE00";

    private static final Map<String, String> PROPERTIES = Map.of("text", TEXT);
    private static final String PATH = "/libs/sling/topology/connector.o1.json";
    private static final String REFUSED = "status 404: it does not let this instance connect";

    private SlingCluster cluster;
    private SlingInstance sling;
    private PlainInstance ours;

    /** Who opens the connector. */
    enum Client {
        SLING,
        OURS
    }

    private void start(Map<String, ?> ofSling, String... options) {
        cluster = SlingCluster.start("sling", ofSling, List.of(options));
        sling = cluster.join("s1", PROPERTIES);
        ours = Ours.join("interop-" + UUID.randomUUID(), "o1");
        ours.offer("text", TEXT);
        untilAsserted(() -> assertThat(own(ours).get(0).properties()).containsEntry("text", TEXT));
    }

    @AfterEach
    void stop() {
        ours.close();
        cluster.close();
    }

    private void connect(Client client, OurSettings settings) {
        if (client == Client.SLING) {
            Ours.connect(ours, settings);
            sling.connect(ours.endpoint().url());
        } else {
            Ours.connect(ours, settings.urls(sling.url()));
        }
    }

    /** Sling pings when the test says so. */
    private void untilAfterPings(Limit.Assertions assertions) {
        untilAsserted(() -> {
            sling.ping();
            assertions.run();
        });
    }

    private void untilBothKnowBoth() {
        untilAfterPings(() -> {
            assertThat(sling.known()).isEqualTo(own(ours));
            assertThat(known(ours)).first().isEqualTo(new Known("s1", "sling", true, PROPERTIES));
        });
    }

    static Stream<Arguments> clientsAndModes() {
        return Stream.of(Client.values())
                .flatMap(client -> Stream.of(Mode.values()).map(mode -> arguments(client, mode)));
    }

    /** Sling names no charset; what it sends is in UTF-8 all the same, and is read so. */
    @ParameterizedTest
    @MethodSource("clientsAndModes")
    void bothKnowBoth(Client client, Mode mode) {
        start(mode.ofSling());
        cluster.join("s2");
        connect(client, mode.ofOurs());
        untilBothKnowBoth();
        assertThat(known(ours)).hasSize(2).last().isEqualTo(new Known("s2", "sling", false, Map.of()));
        if (client == Client.SLING) {
            assertThat(sling.connector().status()).isEqualTo(200);
            assertThat(sling.connector().connected()).isTrue();
            assertThat(sling.connector().remote()).isEqualTo("o1");
            assertThat(report(ours).incoming()).extracting(Incoming::ownerId).containsExactly("s1");
        } else {
            assertThat(connector(ours).state()).isEqualTo(ConnectorReport.ConnectorState.CONNECTED);
            assertThat(connector(ours).peer()).contains("s1");
            Exchange expected = new Exchange(
                    "PUT", PATH, 200, mode.gzip() ? "gzip" : "", "application/json; charset=UTF-8", mode.encrypted());
            assertThat(sling.exchanges()).allSatisfy(each -> assertThat(each).isEqualTo(expected));
        }
    }

    /** Sling would read our text in the charset of its machine if ours did not say otherwise; its own text it garbles. */
    @ParameterizedTest
    @EnumSource
    void ourTextSurvivesMachinesWithAnotherCharset(Client client) {
        Mode mode = client == Client.SLING ? Mode.ENCRYPTED : Mode.COMPRESSED;
        start(mode.ofSling(), "-Dfile.encoding=ISO-8859-1");
        connect(client, mode.ofOurs());
        untilAfterPings(() -> assertThat(sling.known()).isEqualTo(own(ours)));
    }

    /** Sling reads texts in the charset that the server assumes, which garbles those of Sling. */
    @Test
    void ourTextSurvivesServersThatAssumeWhatServletsSay() {
        start(Map.of("assumedCharset", "ISO-8859-1"));
        connect(Client.OURS, OurSettings.DEFAULT);
        untilBothKnowBoth();
    }

    @Test
    void aContextPathIsSignedToo() {
        Map<String, Object> configuration = Mode.ENCRYPTED.ofSling();
        configuration.put("contextPath", "/sling app");
        start(configuration);
        Ours.connect(ours, Mode.ENCRYPTED.ofOurs().urls(sling.url().replace("/libs", "/sling%20app/libs")));
        untilBothKnowBoth();
    }

    @ParameterizedTest
    @EnumSource
    void changesArriveOnBothSides(Client client) {
        start(Map.of());
        connect(client, OurSettings.DEFAULT.times(1, 120));
        untilBothKnowBoth();
        sling.offer(Map.of("load", "7"));
        cluster.join("s2");
        ours.offer("load", "9");
        untilAsserted(() -> {
            sling.pingByForce();
            assertThat(sling.known().get(0).properties()).containsEntry("load", "9");
            assertThat(known(ours))
                    .containsExactly(
                            new Known("s1", "sling", true, Map.of("load", "7")),
                            new Known("s2", "sling", false, Map.of()));
        });
    }

    @Test
    @Tag("thorough")
    void slingBacksOffUntilItHasAChange() {
        start(Map.of("connectorPingInterval", 1, "connectorPingTimeout", 60));
        connect(Client.SLING, OurSettings.DEFAULT.times(10, 1));
        untilAfterPings(() -> assertThat(sling.connector().nextPing()).isGreaterThan(5));
        int before = ours.endpoint().puts();
        sling.ping();
        assertThat(ours.endpoint().puts()).as("pings in spite of the back-off").isEqualTo(before);
        sling.pingByForce();
        assertThat(ours.endpoint().puts()).isEqualTo(before + 1);
        assertThat(sling.connector().nextPing()).isLessThan(2);
    }

    @Test
    @Tag("thorough")
    void ourSideBacksOffUntilItHasAChange() {
        start(Map.of("connectorPingInterval", 1_000, "connectorPingTimeout", 1));
        connect(Client.OURS, OurSettings.DEFAULT.times(1, 120));
        untilAsserted(() -> assertThat(connector(ours).times().nextPingMillis().orElse(0)
                        - connector(ours).times().exchangedMillis().orElse(0))
                .isGreaterThan(900_000));
        long before = connector(ours).traffic().requests();
        ours.offer("load", "9");
        untilAsserted(() -> assertThat(connector(ours).traffic().requests()).isGreaterThan(before));
    }

    @ParameterizedTest
    @CsvSource({"SLING, PLAIN", "SLING, ENCRYPTED", "OURS, PLAIN", "OURS, ENCRYPTED"})
    @Tag("thorough")
    void anInstanceThatLeavesIsForgotten(Client client, Mode mode) {
        start(mode.ofSling());
        connect(client, mode.ofOurs());
        untilBothKnowBoth();
        if (client == Client.SLING) {
            sling.leave();
            untilAsserted(() -> assertThat(known(ours)).isEmpty());
            assertThat(report(ours).incoming()).isEmpty();
            assertThat(report(ours).refusals()).isEmpty();
        } else {
            ours.close();
            assertThat(sling.knownIds()).isEmpty();
            Exchange expected = new Exchange("DELETE", PATH, 200, "", "", mode.encrypted());
            untilAsserted(() -> assertThat(sling.exchanges()).last().isEqualTo(expected));
        }
    }

    @Test
    @Tag("thorough")
    void slingForgetsAConnectorThatIsNoLongerConfigured() {
        start(Map.of());
        connect(Client.OURS, OurSettings.DEFAULT);
        untilBothKnowBoth();
        Ours.connect(ours, OurSettings.DEFAULT);
        untilAsserted(() -> assertThat(sling.knownIds()).isEmpty());
        untilAsserted(() -> assertThat(known(ours)).isEmpty());
    }

    static Stream<Arguments> refusals() {
        Map<String, ?> encrypted = Mode.ENCRYPTED.ofSling();
        OurSettings otherKey = OurSettings.DEFAULT.trust(Mode.trust("other", true));
        return Stream.of(
                arguments(Client.SLING, Map.of(), OurSettings.DEFAULT.allowed("10.0.0.1"), ""),
                arguments(Client.SLING, encrypted, otherKey, ""),
                arguments(Client.SLING, Map.of(), Mode.ENCRYPTED.ofOurs(), ""),
                arguments(
                        Client.OURS,
                        Map.of("topologyConnectorWhitelist", List.of("10.0.0.1")),
                        OurSettings.DEFAULT,
                        REFUSED),
                arguments(Client.OURS, encrypted, otherKey, REFUSED),
                // The receiver of Sling fails on a message that is signed and not encrypted.
                arguments(
                        Client.OURS,
                        signed(),
                        OurSettings.DEFAULT.trust(Mode.trust("s3cret", false)),
                        "signatures without encryption are a cause with peers of Sling"));
    }

    private static Map<String, Object> signed() {
        Map<String, Object> signed = Mode.PLAIN.ofSling();
        signed.put("hmacEnabled", true);
        return signed;
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void whoIsNotOnTheListOrHasAnotherKeyIsRefused(
            Client client, Map<String, ?> ofSling, OurSettings ofOurs, String sentence) {
        start(ofSling);
        connect(client, ofOurs);
        if (client == Client.SLING) {
            assertThat(sling.connector().status()).isEqualTo(404);
            assertThat(sling.connector().connected()).isFalse();
            assertThat(report(ours).incoming()).isEmpty();
            assertThat(report(ours).refusals()).singleElement().satisfies(refusal -> assertThat(refusal.status())
                    .isEqualTo(404));
        } else {
            untilAsserted(() -> assertThat(connector(ours).state()).isEqualTo(ConnectorReport.ConnectorState.FAILING));
            assertThat(connector(ours).sentence()).contains(sentence);
        }
        assertThat(known(ours)).isEmpty();
        assertThat(sling.knownIds()).isEmpty();
    }

    /** Sling cannot read any message that is signed and not encrypted; ours reads that of Sling, and Sling not the reply. */
    @Test
    void slingDoesNotReadAReplyThatIsOnlySigned() {
        start(signed());
        connect(Client.SLING, OurSettings.DEFAULT.trust(Mode.trust("s3cret", false)));
        assertThat(sling.connector().status()).isEqualTo(200);
        assertThat(sling.connector().connected()).isFalse();
        untilAsserted(() -> assertThat(Ours.knownIds(ours)).containsExactly("s1"));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("thorough")
    void aSideWithoutAViewIsAskedAgain(Client client) {
        start(Map.of());
        if (client == Client.SLING) {
            ours.close();
            ours = Ours.of("interop-" + UUID.randomUUID(), "o1");
            ours.offer("text", TEXT);
            connect(client, OurSettings.DEFAULT);
            assertThat(sling.connector().status()).isEqualTo(503);
            ours.join();
        } else {
            cluster.settle(false);
            connect(client, OurSettings.DEFAULT.times(1, 120));
            untilAsserted(() -> assertThat(connector(ours).sentence()).contains("status 503"));
            assertThat(connector(ours).state()).isEqualTo(ConnectorReport.ConnectorState.FAILING);
            cluster.settle(true);
        }
        untilBothKnowBoth();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("thorough")
    void aKilledSlingExpires(Client client) {
        start(Map.of());
        connect(client, OurSettings.DEFAULT.times(1, 3));
        untilBothKnowBoth();
        cluster.kill();
        untilAsserted(() -> assertThat(known(ours)).isEmpty());
        if (client == Client.OURS) {
            assertThat(connector(ours).state()).isEqualTo(ConnectorReport.ConnectorState.FAILING);
        }
    }

    @Test
    @Tag("thorough")
    void ourInstanceThatEndsExpiresAtSling() {
        start(Map.of("connectorPingInterval", 1, "connectorPingTimeout", 5));
        connect(Client.SLING, OurSettings.DEFAULT);
        assertThat(sling.knownIds()).containsExactly("o1");
        ours.close();
        untilAfterPings(() -> assertThat(sling.knownIds()).isEmpty());
    }
}
