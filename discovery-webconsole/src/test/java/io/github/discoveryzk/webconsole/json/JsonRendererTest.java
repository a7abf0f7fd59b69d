// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.json;

import static io.github.discoveryzk.webconsole.testing.PublishedSchema.valid;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.report.InstanceState;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.webconsole.section.AddedSections;
import io.github.discoveryzk.webconsole.testing.AskedReporter;
import io.github.discoveryzk.webconsole.testing.PublishedSchema;
import io.github.discoveryzk.webconsole.testing.RemoteReports;
import io.github.discoveryzk.webconsole.testing.Reports;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRendererTest {
    private static final TopologyReport FULL = Reports.hostile("text");

    @ParameterizedTest
    @EnumSource(State.class)
    void everyStateIsValid(State state) {
        JsonNode json = valid(document(Reports.in(state, "Some words.")));
        assertThat(json.at("/status/state").asText()).isEqualTo(state.name());
        assertThat(json.at("/view/number").asLong()).isEqualTo(42);
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void everyStateIsValidBeforeTheFirstView(State state) {
        JsonNode json = valid(document(Reports.before(state, "Some words.")));
        assertThat(json.get("view").isNull()).isTrue();
        assertThat(json.get("connection").isNull()).isTrue();
        assertThat(json.get("clusters")).isEmpty();
        assertThat(json.at("/outsiders/0/status/reason").asText()).contains("already runs on host-1");
    }

    @Test
    void aChangeIsValidAndTellsTheInstancesApart() {
        JsonNode json = valid(document(Reports.changing()));
        assertThat(texts(json.at("/clusters/0/instances").findValues("state")))
                .containsExactly("GONE", "ACKNOWLEDGED", "AWAITED", "UNKNOWN");
        assertThat(texts(json.at("/outsiders").findValues("state"))).containsExactly("JOINING", "REFUSED");
        assertThat(texts(json.at("/recentlyLeft").findValues("state"))).containsExactly("EXCLUDED", "GONE");
        assertThat(json.at("/clusters/0/instances/0/leader").asBoolean()).isFalse();
        assertThat(json.at("/clusters/0/instances/0/wasLeader").asBoolean()).isTrue();
        assertThat(json.at("/clusters/0/instances/0/label").asText()).isEqualTo("author-1");
        assertThat(json.at("/change/cause").asText()).startsWith("author-1 left because");
        assertThat(json.at("/lastChange/tookMillis").asLong()).isEqualTo(1_000);
    }

    @Test
    void otherClustersAndConnectorsAreValid() {
        JsonNode json = valid(document(RemoteReports.sample()));
        assertThat(texts(json.at("/clusters/4/way")))
                .containsExactly(Reports.id(2), RemoteReports.id(2, 1), RemoteReports.id(4, 1));
        assertThat(json.at("/clusters/0/way")).isEmpty();
        assertThat(json.at("/clusters/4/instances")).hasSize(6).allSatisfy(instance -> {
            for (String name : List.of(
                    "node",
                    "host",
                    "pid",
                    "home",
                    "startedMillis",
                    "joinedMillis",
                    "session",
                    "sessionTimeoutMillis")) {
                assertThat(instance.get(name).isNull()).as(name).isTrue();
            }
        });
        assertThat(texts(json.at("/connectors/outgoing").findValues("state")))
                .containsExactly("CONNECTED", "STANDBY", "FAILING", "CONNECTING", "STOPPED");
        assertThat(json.at("/connectors/outgoing/0/traffic/bytesReceived").asLong())
                .isEqualTo(1_234_567);
        assertThat(json.at("/connectors/outgoing/2/peer").isNull()).isTrue();
        assertThat(json.at("/connectors/outgoing/2/expiresMillis").isNull()).isTrue();
        assertThat(json.at("/connectors/incoming/0/ownerId").asText()).isEqualTo(RemoteReports.id(3, 1));
        assertThat(json.at("/connectors/refusals/0/status").asInt()).isEqualTo(404);
        assertThat(json.at("/connectors/pingTimeoutMillis").asLong()).isEqualTo(120_000);
        assertThat(json.at("/health/status").asText()).isEqualTo("WARN");
        assertThat(valid(document(Reports.settled(1)))
                        .at("/connectors/configured")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void accessRightsAreValidAndConcernTheHealth() {
        JsonNode json = valid(document(Reports.with(Reports.settled(2), Reports.access(2, "denied"))));
        assertThat(json.at("/access/expected").asText()).isEqualTo("creator");
        assertThat(json.at("/access/differing").asInt()).isEqualTo(2);
        assertThat(texts(json.at("/access/nodes").findValues("found")))
                .containsExactly("world:anyone:cdrwa", "world:anyone:cdrwa");
        assertThat(json.at("/health/status").asText()).isEqualTo("WARN");
        assertThat(json.at("/health/findings/0/sentence").asText())
                .startsWith("The access rights of 2 of 12 nodes differ from creator; ");
        assertThat(valid(document(Reports.settled(2))).at("/access/differing").asInt())
                .isZero();
    }

    @Test
    void theSchemaHasTheStatesOfTheReport() {
        JsonNode schema = PublishedSchema.schema();
        assertThat(texts(schema.at("/properties/status/properties/state/enum"))).isEqualTo(names(State.values()));
        assertThat(texts(schema.at("/$defs/instanceStatus/properties/state/enum")))
                .isEqualTo(names(InstanceState.values()));
        assertThat(texts(schema.at("/$defs/connectors/properties/outgoing/items/properties/state/enum")))
                .isEqualTo(names(ConnectorReport.ConnectorState.values()));
    }

    private static List<String> names(Enum<?>... states) {
        return Stream.of(states).map(Enum::name).toList();
    }

    @Test
    void everythingOfTheReportIsInIt() {
        JsonNode json = valid(document(FULL));
        assertThat(json.at("/status/sentence").asText()).isEqualTo("text; text 1 s");
        assertThat(json.at("/status/countdown/atMillis").asLong()).isEqualTo(Reports.NOW + 1);
        assertThat(json.at("/health/status").asText()).isEqualTo("WARN");
        assertThat(json.at("/clusters/0/instances/0/properties/text").asText()).isEqualTo("text");
        assertThat(json.at("/recent/events/0/details").asText()).isEqualTo("text");
        assertThat(json.at("/history/entries/0/left/0/by").asText()).isEqualTo("text");
        assertThat(json.at("/history/problems/0").asText()).isEqualTo("text");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert('1')</script>&amp;",
                "\"quoted\"\\ \b\f\n\r\t\0\u001b[2J\u007f\u009b2J",
                "\u2028\u2029\u202e\u2066\ufeff",
                "שלום мир 世界 👩‍👩‍👧",
                "a lone \ud800 and \udc00"
            })
    void hostileTextsComeBackAsTheyWere(String text) {
        String written = document(RemoteReports.hostile(text));
        assertThat(written)
                .doesNotContainPattern(
                        "[<>&'\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u202e\\u2066\\ufeff\\ud800-\\udfff]");
        JsonNode json = valid(written);
        assertThat(json.at("/view/cause").asText()).isEqualTo(text);
        assertThat(json.at("/clusters/0/instances/0/properties").get(text).asText())
                .isEqualTo(text);
        assertThat(json.at("/clusters/1/instances/0/properties").get(text).asText())
                .isEqualTo(text);
        assertThat(json.at("/connectors/incoming/0/serverInfo").asText()).isEqualTo("says " + text);
        assertThat(json.at("/connectors/refusals/0/reason").asText()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"schema", "view", "health", "lastChange", "history"})
    void whatTheSchemaDoesNotSayIsRefused(String name) {
        ObjectNode json = (ObjectNode) valid(document(FULL));
        assertThat(PublishedSchema.problems(json.deepCopy().put(name, "FINE"), ""))
                .isNotEmpty();
        assertThat(PublishedSchema.problems(json.deepCopy().without(name), "")).isNotEmpty();
        assertThat(PublishedSchema.problems(json.put("more", 1), "")).isNotEmpty();
    }

    @Test
    void everyFieldOfTheSchemaIsRequiredAndDescribed() {
        List<JsonNode> objects = all(PublishedSchema.schema())
                .filter(each -> each.has("required"))
                .toList();
        assertThat(objects).hasSizeGreaterThan(25).allSatisfy(each -> assertThat(texts(each.get("required")))
                .containsExactlyInAnyOrderElementsOf(
                        () -> each.get("properties").fieldNames()));
    }

    private static String document(TopologyReport report) {
        AddedSection added = () -> new AddedSection.Content(
                "Shared data", List.of("One."), List.of("Scope", "Name"), List.of(List.of("app", "limit")));
        return JsonRenderer.document(report, new AskedReporter(report), AddedSections.of(List.of(added)));
    }

    private static Stream<JsonNode> all(JsonNode json) {
        return Stream.concat(
                Stream.of(json), StreamSupport.stream(json.spliterator(), false).flatMap(JsonRendererTest::all));
    }

    private static List<String> texts(List<JsonNode> all) {
        return all.stream().map(JsonNode::asText).toList();
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }
}
