// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import static org.apache.sling.discovery.commons.report.Health.Status.CRITICAL;
import static org.apache.sling.discovery.commons.report.Health.Status.OK;
import static org.apache.sling.discovery.commons.report.Health.Status.TEMPORARILY_UNAVAILABLE;
import static org.apache.sling.discovery.commons.report.Health.Status.WARN;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.ReasonCode;
import org.apache.sling.discovery.commons.report.Health.Finding;
import org.apache.sling.discovery.commons.report.TopologyReport.Cluster;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.commons.report.TopologyReport.Instances;
import org.apache.sling.discovery.commons.report.TopologyReport.Listener;
import org.apache.sling.discovery.commons.report.TopologyReport.Situation;
import org.apache.sling.discovery.commons.report.TopologyReport.Source;
import org.apache.sling.discovery.commons.report.TopologyReport.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HealthTest {

    private static final String NAME = "com.example.Jobs of bundle com.example.jobs (service 17)";

    private static TopologyReport report(State state, List<Listener> listeners, String... problems) {
        return report(state, ConnectorReport.NONE, listeners, problems);
    }

    private static TopologyReport report(
            State state, ConnectorReport connectors, List<Listener> listeners, String... problems) {
        Status status = new Status(state, List.of(Reason.of(ReasonCode.TEXT, "how things are")), 0, Optional.empty());
        return new TopologyReport(
                new Source(0, 0, "id", "address"),
                new Situation(
                        status,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        listeners,
                        List.of()),
                new Instances(List.of(), List.of(), List.of(), InstanceNames.NONE),
                connectors,
                Recent.NOTHING,
                History.UNREAD,
                List.of(problems));
    }

    @ParameterizedTest
    @CsvSource({
        "SETTLED, OK",
        "SUSPENDED, WARN",
        "CONNECTING, TEMPORARILY_UNAVAILABLE",
        "JOINING, TEMPORARILY_UNAVAILABLE",
        "CHANGING, TEMPORARILY_UNAVAILABLE",
        "STOPPED, TEMPORARILY_UNAVAILABLE",
        "REFUSED, CRITICAL",
        "QUARANTINED, CRITICAL",
        "EXCLUDED, CRITICAL",
        "CUT_OFF, CRITICAL"
    })
    void judgesTheState(State state, Health.Status status) {
        Health health = Health.of(report(state, List.of()));
        assertThat(health.findings()).containsExactly(new Finding(status, "how things are"));
        assertThat(health.status()).isEqualTo(status);
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void aListenerThatHangsIsCriticalAndNamed(State state) {
        Health health = Health.of(report(state, List.of(new Listener(NAME, 1, Health.LISTENER_LIMIT_MILLIS))));
        assertThat(health.status()).isEqualTo(CRITICAL);
        assertThat(health.findings()).hasSize(2).anySatisfy(finding -> assertThat(finding.sentence())
                .contains(NAME)
                .contains("5 s"));
    }

    @Test
    void aBusyListenerIsNotOneThatHangs() {
        Listener busy = new Listener(NAME, 1, Health.LISTENER_LIMIT_MILLIS - 1);
        assertThat(Health.of(report(State.SETTLED, List.of(busy))).status()).isEqualTo(OK);
    }

    @Test
    void problemsAreWarningsAndEachIsSaid() {
        Health health = Health.of(report(State.SETTLED, List.of(), "one", "two"));
        assertThat(health.status()).isEqualTo(WARN);
        assertThat(health.findings())
                .containsExactly(new Finding(WARN, "one"), new Finding(WARN, "two"), new Finding(OK, "how things are"));
    }

    @ParameterizedTest
    @EnumSource(ConnectorReport.State.class)
    void aConnectorThatFailsForLongerThanItsTimeoutIsAWarning(ConnectorReport.State state) {
        ConnectorReport.Outgoing connector = new ConnectorReport.Outgoing(
                List.of("http://first:8080/", "http://second:8080/"),
                "http://second:8080/",
                state,
                "connection refused; the next ping tries both URLs",
                Optional.empty(),
                new ConnectorReport.Times(-60_001, OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty()),
                ConnectorReport.Traffic.NOTHING);
        Finding warning = new Finding(
                WARN,
                "connector to http://second:8080/ has been failing for 60 s: connection refused; the next ping tries"
                        + " both URLs");
        boolean fails = state == ConnectorReport.State.FAILING;
        assertThat(findings(connector, 60_000)).containsExactlyElementsOf(fails ? List.of(warning) : List.of());
        assertThat(findings(connector, 60_001)).isEmpty();
    }

    private static List<Finding> findings(ConnectorReport.Outgoing connector, long pingTimeoutMillis) {
        return Health.attention(report(
                State.SETTLED,
                new ConnectorReport(
                        true, Optional.empty(), List.of(connector), List.of(), List.of(), pingTimeoutMillis),
                List.of()));
    }

    @Test
    void theWorstComesFirst() {
        assertThat(Health.of(report(State.CHANGING, List.of(), "one")).findings())
                .extracting(Finding::status)
                .containsExactly(TEMPORARILY_UNAVAILABLE, WARN);
    }

    private static Instance member(String id, int session, String settings) {
        MemberRecord record = MemberRecord.of(
                        id, new ProcessInfo("run", "host", 1, "/", 0).withSettings(settings), Map.of())
                .withSessionTimeout(session);
        InstanceStatus status = InstanceStatus.of(InstanceState.SETTLED, OptionalLong.empty());
        return new Instance(1, new Member("m-" + id, 1, 0, 1, record), status, false, false, id.equals("own"));
    }

    private static List<Finding> attention(Instance... members) {
        TopologyReport bare = report(State.SETTLED, List.of());
        Cluster local = new Cluster("cluster", true, List.of(members), List.of());
        return Health.attention(new TopologyReport(
                bare.source(),
                bare.situation(),
                new Instances(List.of(local), List.of(), List.of(), InstanceNames.NONE),
                bare.connectors(),
                bare.recent(),
                bare.history(),
                bare.problems()));
    }

    @Test
    void namesMembersWithOtherSettings() {
        assertThat(attention(
                        member("own", 10_000, "settleTimeoutMillis=30000 quietMillis=0"),
                        member("b", 10_000, "settleTimeoutMillis=5000 quietMillis=0 more=1"),
                        member("c", 12_000, "settleTimeoutMillis=7000 quietMillis=0"),
                        member("d", 10_000, "settleTimeoutMillis=5000 nonsense"),
                        member("older", 0, "")))
                .containsExactlyInAnyOrder(
                        new Finding(
                                WARN,
                                "settings of members differ: the session timeout in milliseconds is 10000 here, 12000 on"
                                        + " c; give all members the same"),
                        new Finding(
                                WARN,
                                "settings of members differ: settleTimeoutMillis is 30000 here, 5000 on b and d, 7000 on c;"
                                        + " give all members the same"));
    }

    @Test
    void sameSettingsNeedNoAttention() {
        assertThat(attention(member("own", 10_000, "quietMillis=0"), member("b", 10_000, "quietMillis=0")))
                .isEmpty();
        assertThat(attention(member("own", 10_000, ""), member("b", 10_000, "quietMillis=0")))
                .isEmpty();
    }
}
