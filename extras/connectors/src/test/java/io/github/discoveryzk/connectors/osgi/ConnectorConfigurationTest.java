// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.osgi;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.connectors.settings.ConnectorSettings;
import io.github.discoveryzk.connectors.trust.AllowList;
import io.github.discoveryzk.connectors.trust.SharedKey.Direction;
import io.github.discoveryzk.connectors.trust.Trust;
import java.lang.reflect.Method;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectorConfigurationTest {

    private static final String URL = "http://127.0.0.1:8080/libs/sling/topology/connector";

    private static ConnectorConfiguration of(String key, Object value) {
        return ConnectorConfiguration.of(Map.of(key, value));
    }

    private static ConnectorSettings settings(Map<String, ?> configuration) {
        ConnectorConfiguration read = ConnectorConfiguration.of(configuration);
        assertThat(read.problems()).isEmpty();
        return read.settings().orElseThrow();
    }

    private static ConnectorSettings despite(ConnectorConfiguration read, String... words) {
        assertThat(read.problems()).singleElement().asString().contains(words).endsWith(".");
        return read.settings().orElseThrow();
    }

    private static boolean allows(AllowList list, String address) {
        return list.allows(address, any -> "");
    }

    @Test
    void theDefaultsAreThoseOfSling() {
        ConnectorSettings read = settings(Map.of());

        assertThat(read).usingRecursiveComparison().ignoringFields("allowed").isEqualTo(ConnectorSettings.DEFAULT);
        assertThat(allows(read.allowed(), "127.0.0.1")).isTrue();
        assertThat(allows(read.allowed(), "::1")).isTrue();
        assertThat(allows(read.allowed(), "10.1.2.3")).isFalse();
    }

    @Test
    void theDefaultsForEditorsAreTheSame() {
        Map<String, Object> shown = Stream.of(ConnectorConfig.class.getDeclaredMethods())
                .collect(Collectors.toMap(Method::getName, Method::getDefaultValue));
        assertThat(shown).hasSize(12);
        assertThat(settings(shown)).isEqualTo(settings(Map.of()));
        shown.put("hmacEnabled", true);
        shown.put("sharedKey", "s3cret");
        assertThat(settings(shown).trust())
                .isEqualTo(settings(Map.of("hmacEnabled", true, "sharedKey", "s3cret"))
                        .trust());
    }

    @Test
    void everythingIsRead() {
        ConnectorSettings read = settings(Map.ofEntries(
                Map.entry("topologyConnectorUrls", new String[] {URL}),
                Map.entry("topologyConnectorWhitelist", new String[] {"10.1.2.0/24"}),
                Map.entry("connectorPingInterval", 7L),
                Map.entry("connectorPingTimeout", "20"),
                Map.entry("socketConnectTimeout", 3),
                Map.entry("soTimeout", " 4 "),
                Map.entry("gzipConnectorRequestsEnabled", true),
                Map.entry("autoStopLocalLoopEnabled", "True")));

        assertThat(read.outgoing()).containsExactly(List.of(URI.create(URL)));
        assertThat(allows(read.allowed(), "10.1.2.3")).isTrue();
        assertThat(allows(read.allowed(), "127.0.0.1")).isFalse();
        assertThat(read.trust()).isEmpty();
        assertThat(read.timing().pingInterval()).isEqualTo(Duration.ofSeconds(7));
        assertThat(read.timing().pingTimeout()).isEqualTo(Duration.ofSeconds(20));
        assertThat(read.transfer().connectTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(read.transfer().exchangeTimeout()).isEqualTo(Duration.ofSeconds(4));
        assertThat(read.transfer().gzip()).isTrue();
        assertThat(read.autoStop()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "connectorPingInterval, 0, 1 to 86400, 30",
        "connectorPingInterval, -1, 1 to 86400, 30",
        "connectorPingInterval, often, 1 to 86400, 30",
        "connectorPingTimeout, 0, 1 to 604800, 120",
        "connectorPingTimeout, 30, longer than the ping interval of 30, 120",
        "socketConnectTimeout, 0, 1 to 3600, 10",
        "soTimeout, 1.5, 1 to 3600, 10",
        "gzipConnectorRequestsEnabled, perhaps, neither true nor false, false",
        "autoStopLocalLoopEnabled, 1, neither true nor false, false"
    })
    void nonsenseIsReportedAndReplaced(String key, String value, String why, String instead) {
        ConnectorSettings read = despite(
                of(key, value),
                key,
                ConnectorConfiguration.PID,
                why,
                "'" + value + "'",
                "'" + instead + "' is used instead");
        assertThat(read).usingRecursiveComparison().ignoringFields("allowed").isEqualTo(ConnectorSettings.DEFAULT);
    }

    @Test
    void whatIsNoListIsReportedAndReplaced() {
        assertThat(despite(of("topologyConnectorUrls", Map.of()), "'{}'", "it is not a list of texts")
                        .outgoing())
                .isEmpty();
        AllowList allowed = despite(of("topologyConnectorWhitelist", new int[] {5}), "'localhost,127.0.0.1' is used")
                .allowed();
        assertThat(allows(allowed, "127.0.0.1")).isTrue();
    }

    @Test
    void aLongIntervalHasALongerTimeoutByDefault() {
        assertThat(settings(Map.of("connectorPingInterval", 100)).timing().pingTimeout())
                .isEqualTo(Duration.ofSeconds(120));
        assertThat(settings(Map.of("connectorPingInterval", 120)).timing().pingTimeout())
                .isEqualTo(Duration.ofSeconds(480));
        assertThat(settings(Map.of("connectorPingInterval", 300)).timing().pingTimeout())
                .isEqualTo(Duration.ofSeconds(1_200));
    }

    @Test
    void blanksSeparateFallBacks() {
        assertThat(settings(Map.of("topologyConnectorUrls", new String[] {URL + "  https://other/x", "  "}))
                        .outgoing())
                .containsExactly(List.of(URI.create(URL), URI.create("https://other/x")));
    }

    @Test
    void aListMayBeACollectionOrOneText() {
        String other = "https://other/x";
        List<List<URI>> both = List.of(List.of(URI.create(URL)), List.of(URI.create(other)));
        assertThat(settings(Map.of("topologyConnectorUrls", List.of(URL, other)))
                        .outgoing())
                .isEqualTo(both);
        assertThat(settings(Map.of("topologyConnectorUrls", URL + ", " + other)).outgoing())
                .isEqualTo(both);
        assertThat(settings(Map.of("topologyConnectorUrls", new ArrayList<>(Arrays.asList(null, URL, other))))
                        .outgoing())
                .isEqualTo(both);
        AllowList allowed = settings(Map.of("topologyConnectorWhitelist", "10.0.0.1, 10.1.2.3 255.255.255.0"))
                .allowed();
        assertThat(allows(allowed, "10.0.0.1")).isTrue();
        assertThat(allows(allowed, "10.1.2.9")).isTrue();
        assertThat(allows(settings(Map.of("topologyConnectorWhitelist", "")).allowed(), "127.0.0.1"))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1:8080/connector",
                "/libs/sling/topology/connector",
                "ftp://host/connector",
                "http:///connector",
                "http:connector",
                "http://host:0/connector",
                "http://host:65536/connector",
                "http://under_score/connector",
                "http://host",
                "http://host/",
                "http://host/connector/",
                "http://host/connector?a=b",
                "http://host/connector#a",
                "http://host/con{nector",
                "http://host/connector nonsense"
            })
    void aUrlThatCannotBeUsedIsReportedAndItsEntryIgnored(String nonsense) {
        ConnectorSettings read = despite(
                of("topologyConnectorUrls", new String[] {nonsense, URL}),
                "'" + nonsense + "'",
                "topologyConnectorUrls",
                ConnectorConfiguration.PID,
                "is ignored");
        assertThat(read.outgoing()).containsExactly(List.of(URI.create(URL)));
    }

    @Test
    void problemsShowNoPassword() {
        for (String url : List.of(
                "http://me:pa55@host/", "http://me:pa55@host:x{/y", "http://me:pa/55@host/c", "http://m@e:55@h/c#")) {
            assertThat(of("topologyConnectorUrls", url).problems())
                    .singleElement()
                    .asString()
                    .contains("//***@h")
                    .doesNotContain("55");
        }
        for (String entry : List.of(
                "me:pa55@host:8080/c",
                "http://user:80/pa55@host/c",
                "me:/pa55@host/c",
                "http:/me:pa55@host/c",
                "http:me:pa55@host/c",
                "http://me:pa 55@host/c",
                "http://me:pa55 x@host/c",
                URL + " me:pa55@host/c",
                "http://me:pa\n55@host/c#")) {
            assertThat(of("topologyConnectorUrls", new String[] {entry}).problems())
                    .singleElement()
                    .asString()
                    .contains("***@host")
                    .doesNotContain("55");
        }
        ConnectorConfiguration read =
                ConnectorConfiguration.of(Map.of("hmacEnabled", "yes", "sharedKey", "s3cret", "soTimeout", "x"));
        assertThat(read.problems()).hasSize(2).noneMatch(sentence -> sentence.contains("s3cret"));
        assertThat(ConnectorConfiguration.of(Map.of("hmacEnabled", true, "sharedKey", "s3cret"))
                        .toString())
                .doesNotContain("s3cret");
    }

    @Test
    void messagesAreSigned() {
        Trust trust = settings(Map.of("hmacEnabled", "true", "sharedKey", " s3cret "))
                .trust()
                .orElseThrow();
        assertThat(trust.key().secret()).isEqualTo(" s3cret ");
        assertThat(trust.encrypted()).isFalse();
        assertThat(settings(Map.of("hmacEnabled", true, "sharedKey", 12345, "enableEncryption", true))
                        .trust())
                .hasValueSatisfying(both -> {
                    assertThat(both.key().secret()).isEqualTo("12345");
                    assertThat(both.encrypted()).isTrue();
                });
        assertThat(settings(Map.of("sharedKey", "s3cret")).trust()).isEmpty();
    }

    @Test
    void theLifetimeOfAKeyIsRead() {
        Map<String, Object> signed = Map.of("hmacEnabled", true, "sharedKey", "s", "hmacSharedKeyTTL", "10000");
        assertThat(keyNumber(settings(signed), 50_000_000)).isEqualTo("5000");
        ConnectorSettings read = despite(
                ConnectorConfiguration.of(Map.of("hmacEnabled", true, "sharedKey", "s", "hmacSharedKeyTTL", 0)),
                "hmacSharedKeyTTL",
                "'14400000' is used instead");
        assertThat(keyNumber(read, 2 * 14_400_000)).isEqualTo("2");
    }

    private static String keyNumber(ConnectorSettings settings, long now) {
        return settings.trust()
                .orElseThrow()
                .key()
                .sign(Direction.REQUEST, "/path", "text", now)
                .trust()
                .split("/")[0];
    }

    /** None of these may leave the endpoint open to unsigned messages. */
    @Test
    void withoutTheTrustThatIsAskedForConnectorsStayOff() {
        for (Map<String, Object> unsafe : List.<Map<String, Object>>of(
                Map.of("hmacEnabled", true),
                Map.of("hmacEnabled", true, "sharedKey", ""),
                Map.of("hmacEnabled", true, "sharedKey", "  "),
                Map.of("hmacEnabled", true, "sharedKey", new String[] {"s3cret"}),
                Map.of("hmacEnabled", "yes"),
                Map.of("enableEncryption", true, "sharedKey", "s3cret"),
                Map.of("enableEncryption", "on"))) {
            ConnectorConfiguration read = ConnectorConfiguration.of(unsafe);
            assertThat(read.settings()).as("%s", unsafe).isEmpty();
            assertThat(read.problems())
                    .noneMatch(each -> each.contains("s3cret"))
                    .anyMatch(each -> each.startsWith(
                            "Connectors stay off because of the configuration " + ConnectorConfiguration.PID));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hmacEnabled", "enableEncryption"})
    void aChoiceOfTrustThatIsNeitherTrueNorFalseCountsAsTrue(String choice) {
        Map<String, Object> wrong =
                new HashMap<>(Map.of("hmacEnabled", true, "enableEncryption", true, "sharedKey", "s"));
        for (Object value : List.of("yes", 1, new int[] {1})) {
            wrong.put(choice, value);
            assertThat(despite(ConnectorConfiguration.of(wrong), choice, "'true' is used instead")
                            .trust())
                    .hasValueSatisfying(trust -> assertThat(trust.encrypted()).isTrue());
        }
    }
}
