// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import static io.github.discoveryzk.report.Health.Severity.CRITICAL;
import static io.github.discoveryzk.report.Health.Severity.OK;
import static io.github.discoveryzk.report.Health.Severity.TEMPORARILY_UNAVAILABLE;
import static io.github.discoveryzk.report.Health.Severity.WARN;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.report.Health.Finding;
import io.github.discoveryzk.report.TopologyReport.Cluster;
import io.github.discoveryzk.report.TopologyReport.ExplainedState;
import io.github.discoveryzk.report.TopologyReport.Instance;
import io.github.discoveryzk.report.TopologyReport.Instances;
import io.github.discoveryzk.report.TopologyReport.Listener;
import io.github.discoveryzk.report.TopologyReport.Situation;
import io.github.discoveryzk.report.TopologyReport.Source;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
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
        return report(state, connectors, listeners, Optional.empty(), problems);
    }

    private static TopologyReport report(
            State state,
            ConnectorReport connectors,
            List<Listener> listeners,
            Optional<StoreAccess> access,
            String... problems) {
        ExplainedState status =
                new ExplainedState(state, List.of(Reason.of(ReasonCode.TEXT, "how things are")), 0, Optional.empty());
        return new TopologyReport(
                new Source(0, 0, "id", "address"),
                new Situation(
                        status,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        listeners,
                        access),
                new Instances(List.of(), List.of(), List.of(), InstanceNames.NONE),
                connectors,
                Recent.NOTHING,
                History.UNREAD,
                Finding.warnings(Concern.OTHER, Stream.of(problems)).toList());
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
    void judgesTheState(State state, Health.Severity status) {
        Health health = Health.of(report(state, List.of()));
        assertThat(health.findings()).containsExactly(new Finding(Concern.SETTLED, status, "how things are"));
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
    void anOperatorLooksAtWhatHangsAndOtherwiseWaits() {
        Listener hanging = new Listener(NAME, 1, Health.LISTENER_LIMIT_MILLIS);
        assertThat(Health.advice(report(State.EXCLUDED, List.of(hanging)))).contains(Reason.of(ReasonCode.HANGS_HERE));
        assertThat(Health.advice(report(State.CHANGING, List.of()))).contains(Reason.of(ReasonCode.PASSES));
        assertThat(Health.advice(report(State.CHANGING, List.of(), "a problem")))
                .isEmpty();
        assertThat(Health.advice(report(State.SETTLED, List.of()))).isEmpty();
        assertThat(Health.advice(report(State.SETTLED, List.of(), "a problem")))
                .contains(Reason.of(ReasonCode.SEE_ATTENTION));
    }

    @ParameterizedTest
    @CsvSource({
        "GONE, CRASHED_BY, '', START_AGAIN",
        "GONE, DIED_BY, '', START_AGAIN",
        "GONE, SESSION_ENDED, '', LOOK_AFTER",
        "GONE, STOPPED, '',",
        "EXCLUDED, WAS_LATE, '', SILENT_ELSEWHERE",
        "EXCLUDED, WAS_LATE, com.example.Jobs, HANGS_ELSEWHERE"
    })
    void anOperatorLooksAfterWhatHasLeft(InstanceState state, ReasonCode why, String listener, ReasonCode advice) {
        InstanceStatus left = new InstanceStatus(
                state,
                List.of(Reason.of(why, "b", "a", "1")),
                Optional.of(listener).filter(each -> !each.isEmpty()),
                OptionalLong.of(0));
        TopologyReport bare = report(State.SETTLED, List.of());
        TopologyReport report = new TopologyReport(
                bare.source(),
                bare.situation(),
                new Instances(List.of(), List.of(), List.of(instance("b", left)), InstanceNames.NONE),
                bare.connectors(),
                bare.recent(),
                bare.history(),
                bare.noted());
        assertThat(Health.advice(report).map(Reason::code)).isEqualTo(Optional.ofNullable(advice));
    }

    private static Instance instance(String id, InstanceStatus status) {
        MemberRecord record = MemberRecord.of(id, new ProcessInfo("run", "host", 1, "/", 0), Map.of());
        return new Instance(1, new Member("m-" + id, 1, 0, 1, record), status, false, false, false);
    }

    @ParameterizedTest
    @CsvSource({
        "CUT_OFF, CUT_OFF, PASSES",
        "CONNECTING, NOT_CONNECTED_YET, PASSES",
        "REFUSED, HELD, LEAVE_ID",
        "REFUSED, HELD_BY_PREDECESSOR, PASSES",
        "REFUSED, INCOMPATIBLE, UPGRADE_OTHERS",
        "QUARANTINED, QUARANTINED, FIND_CAUSE",
        "EXCLUDED, REJOINING, PASSES",
        "SUSPENDED, SUSPENDED_ON, PASSES"
    })
    void anOperatorActsOnTheReasonOfAState(State state, ReasonCode reason, ReasonCode advice) {
        assertThat(Health.advice(because(state, reason)).map(Reason::code)).contains(advice);
    }

    @Test
    void anOperatorNeedNotWaitWhenServersAreKnownToBeDown() {
        TopologyReport report = noting(report(State.CUT_OFF, List.of()), Concern.SERVERS);
        assertThat(Health.advice(report).map(Reason::code)).contains(ReasonCode.REACH_STORE);
    }

    @ParameterizedTest
    @CsvSource({
        "com.example.Jobs, 0, 5000, HANGS_ELSEWHERE",
        ", 0, 5000, SILENT_ELSEWHERE",
        "com.example.Jobs, 0, 4999, PASSES",
        "com.example.Jobs, -1, 4999, PASSES",
        "com.example.Jobs, 1, 5000, PASSES"
    })
    void anOperatorLooksAtWhatOthersWaitForTooLong(String listener, long since, long millis, ReasonCode advice) {
        InstanceStatus awaited = new InstanceStatus(
                InstanceState.AWAITED, List.of(), Optional.ofNullable(listener), OptionalLong.of(since));
        Instance other = instance("b", awaited);
        assertThat(Health.advice(at(millis, report(State.CHANGING, List.of()), other))
                        .map(Reason::code))
                .contains(advice);
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
                .containsExactly(
                        new Finding(Concern.OTHER, WARN, "one"),
                        new Finding(Concern.OTHER, WARN, "two"),
                        new Finding(Concern.SETTLED, OK, "how things are"));
    }

    @Test
    void theReasonOfTheStateIsSaidOnceWithItsConcern() {
        assertThat(Health.of(report(State.CONNECTING, List.of(), "another", "how things are"))
                        .findings())
                .containsExactly(
                        new Finding(Concern.OTHER, TEMPORARILY_UNAVAILABLE, "how things are"),
                        new Finding(Concern.OTHER, WARN, "another"));
    }

    @ParameterizedTest
    @EnumSource(ConnectorReport.ConnectorState.class)
    void aConnectorThatFailsForLongerThanItsTimeoutIsAWarning(ConnectorReport.ConnectorState state) {
        ConnectorReport.Outgoing connector = new ConnectorReport.Outgoing(
                List.of("http://first:8080/", "http://second:8080/"),
                "http://second:8080/",
                state,
                "connection refused; the next ping tries both URLs",
                Optional.empty(),
                new ConnectorReport.Times(-60_001, OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty()),
                ConnectorReport.Traffic.NOTHING);
        Finding warning = new Finding(
                Concern.OTHER,
                WARN,
                "connector to http://second:8080/ has been failing for 60 s: connection refused; the next ping tries"
                        + " both URLs");
        boolean fails = state == ConnectorReport.ConnectorState.FAILING;
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

    private static TopologyReport because(State state, ReasonCode code) {
        TopologyReport bare = report(state, List.of());
        Situation situation = new Situation(
                new ExplainedState(state, List.of(Reason.of(code, "id", "1", "host", "/home")), 0, Optional.empty()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty());
        return new TopologyReport(
                bare.source(),
                situation,
                bare.instances(),
                bare.connectors(),
                bare.recent(),
                bare.history(),
                List.of());
    }

    private static Finding concern(Concern concern, TopologyReport report) {
        return Health.of(report, concern).findings().get(0);
    }

    private static TopologyReport after(State state, State... transitions) {
        TopologyReport bare = report(state, List.of());
        List<ExplainedState> past = Stream.of(transitions)
                .map(each -> new ExplainedState(each, List.of(), 0, Optional.empty()))
                .toList();
        return new TopologyReport(
                bare.source(),
                bare.situation(),
                bare.instances(),
                bare.connectors(),
                new Recent(List.of(), past),
                bare.history(),
                List.of());
    }

    @ParameterizedTest
    @EnumSource(value = Concern.class, mode = EnumSource.Mode.EXCLUDE, names = "SETTLED")
    void eachConcernIsFineByItself(Concern concern) {
        Health health = Health.of(report(State.SETTLED, List.of()), concern);
        assertThat(health.findings()).containsExactly(new Finding(concern, OK, "nothing needs attention"));
    }

    @ParameterizedTest
    @EnumSource(Concern.class)
    void aProblemIsFoundUnderItsConcernOnly(Concern concern) {
        TopologyReport report = noting(report(State.SETTLED, List.of()), concern);
        for (Concern each : Concern.values()) {
            assertThat(Health.of(report, each).status()).as(each.name()).isEqualTo(each == concern ? WARN : OK);
        }
        assertThat(Health.of(report).findings().get(0)).isEqualTo(new Finding(concern, WARN, "a problem"));
    }

    @ParameterizedTest
    @CsvSource({
        "SETTLED, OK",
        "CHANGING, OK",
        "JOINING, OK",
        "REFUSED, OK",
        "SUSPENDED, WARN",
        "CUT_OFF, WARN",
        "CONNECTING, WARN"
    })
    void noInterruptionMakesAnInstanceUnready(State state, Health.Severity status) {
        Finding finding = concern(Concern.CONNECTED, after(state, state, State.JOINING, State.CONNECTING));
        assertThat(finding.status()).isEqualTo(status);
    }

    @Test
    void anInstanceIsReadyOnceItWasConnected() {
        assertThat(concern(Concern.CONNECTED, after(State.CONNECTING)).status()).isEqualTo(TEMPORARILY_UNAVAILABLE);
        assertThat(concern(Concern.CONNECTED, after(State.JOINING, State.JOINING))
                        .status())
                .isEqualTo(OK);
    }

    @ParameterizedTest
    @CsvSource({"SETTLED, OK", "SUSPENDED, WARN", "CUT_OFF, CRITICAL", "CHANGING, OK", "CONNECTING, OK"})
    void theLeaseIsOverWhenTheStoreIsSilent(State state, Health.Severity status) {
        assertThat(concern(Concern.LEASE, report(state, List.of())).status()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"HELD, CRITICAL", "HELD_BY_PREDECESSOR, CRITICAL", "INCOMPATIBLE, OK"})
    void theIdentityIsRefusedByReason(ReasonCode code, Health.Severity status) {
        TopologyReport report = because(State.REFUSED, code);
        assertThat(concern(Concern.IDENTITY, report).status()).isEqualTo(status);
        assertThat(concern(Concern.SETTLED, report).status()).isEqualTo(CRITICAL);
    }

    private static Instance member(String id, int session, String settings) {
        return member(id, session, settings, Map.of());
    }

    private static Instance member(String id, int session, String settings, Map<String, String> properties) {
        MemberRecord record = MemberRecord.of(
                        id, new ProcessInfo("run", "host", 1, "/", 0).withSettings(settings), properties)
                .withSessionTimeout(session);
        InstanceStatus status = InstanceStatus.of(InstanceState.SETTLED, OptionalLong.empty());
        return new Instance(1, new Member("m-" + id, 1, 0, 1, record), status, false, false, id.equals("own"));
    }

    private static List<Finding> attention(Instance... members) {
        return Health.attention(with(report(State.SETTLED, List.of()), members));
    }

    private static TopologyReport noting(TopologyReport bare, Concern concern) {
        return new TopologyReport(
                bare.source(),
                bare.situation(),
                bare.instances(),
                bare.connectors(),
                bare.recent(),
                bare.history(),
                List.of(new Finding(concern, WARN, "a problem")));
    }

    private static TopologyReport with(TopologyReport bare, Instance... members) {
        return at(0, bare, members);
    }

    private static TopologyReport at(long millis, TopologyReport bare, Instance... members) {
        Cluster local = new Cluster("cluster", true, List.of(members), List.of());
        return new TopologyReport(
                new Source(millis, 0, "id", "address"),
                bare.situation(),
                new Instances(List.of(local), List.of(), List.of(), InstanceNames.NONE),
                bare.connectors(),
                bare.recent(),
                bare.history(),
                bare.noted());
    }

    private static List<Finding> attention(int differing) {
        List<StoreAccess.DifferingNode> nodes = List.of(new StoreAccess.DifferingNode(
                "/sling/discovery", differing > 0 ? "world:anyone:cdrwa" : "foreign", Optional.empty()));
        StoreAccess access = new StoreAccess("creator", "sasl:app", 12, 0, differing, nodes);
        return Health.attention(report(State.SETTLED, ConnectorReport.NONE, List.of(), Optional.of(access)));
    }

    @Test
    void warnsOfNodesWithOtherAccessRights() {
        assertThat(attention(0)).isEmpty();
        assertThat(attention(1)).hasSize(1);
        assertThat(attention(7))
                .containsExactly(new Finding(
                        Concern.ACCESS,
                        WARN,
                        "The access rights of 7 of 12 nodes differ from creator; this instance is sasl:app."
                                + " /sling/discovery has world:anyone:cdrwa. All instances need one identity, because they"
                                + " write and delete the nodes of each other: give them the same credentials, or list the"
                                + " identities of all in acl. Set acl=open here until they have that: the others cannot"
                                + " settle on a view with this instance. When they have that, discovery:acl repair sets"
                                + " the rights."));
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
                                Concern.OTHER,
                                WARN,
                                "settings of members differ: the session timeout in milliseconds is 10000 here, 12000 on"
                                        + " c; give all members the same"),
                        new Finding(
                                Concern.OTHER,
                                WARN,
                                "settings of members differ: settleTimeoutMillis is 30000 here, 5000 on b and d, 7000 on c;"
                                        + " give all members the same"));
    }

    @Test
    void namesMembersWithOtherRepositories() {
        assertThat(attention(
                        member("own", 0, "", Map.of("oak.clusterid", "mine")),
                        member("b", 0, "", Map.of("oak.clusterid", "mine")),
                        member("c", 0, "", Map.of("oak.clusterid", "theirs")),
                        member("d", 0, "")))
                .containsExactly(new Finding(
                        Concern.OTHER,
                        WARN,
                        "settings of members differ: oak.clusterid is mine here, theirs on c; Sling jobs need one"
                                + " repository: give the members of each a clusterName of their own"));
    }

    @Test
    void sameSettingsNeedNoAttention() {
        assertThat(attention(member("own", 10_000, "quietMillis=0"), member("b", 10_000, "quietMillis=0")))
                .isEmpty();
        assertThat(attention(member("own", 10_000, ""), member("b", 10_000, "quietMillis=0")))
                .isEmpty();
    }
}
