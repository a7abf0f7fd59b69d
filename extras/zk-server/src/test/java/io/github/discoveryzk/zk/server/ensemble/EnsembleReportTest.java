// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.zk.server.ensemble.Answer.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnsembleReportTest {
    private final Servers servers = Servers.parse("a,b,c");

    private EnsembleReport report(Map<Integer, Answer> answers) {
        return new EnsembleReport(
                "It serves.",
                List.of("A problem."),
                servers,
                Optional.of(servers.entry(2)),
                answers,
                Optional.of("Its data is in /data."));
    }

    private AddedSection.Content content(Map<Integer, Answer> answers) {
        return report(answers).content(Map.of("a:2181", "author-1"));
    }

    @Test
    void serversThatDoNotServeAreARisk() {
        Answer leader = Answer.of(Kind.LEADER);
        Answer follower = Answer.of(Kind.FOLLOWER);
        assertThat(report(Map.of(1, leader, 2, follower, 3, follower)).risks(UnaryOperator.identity()))
                .isEmpty();
        assertThat(report(Map.of(1, leader, 2, follower)).risks(UnaryOperator.identity()))
                .singleElement()
                .asString()
                .contains("c:2181", "if one more fails");
        assertThat(report(Map.of(1, Answer.of(Kind.NOT_SERVING), 2, follower)).risks(UnaryOperator.identity()))
                .singleElement()
                .asString()
                .contains("c:2181. Without a majority")
                .doesNotContain("a:2181");
        Answer elects = Answer.of(Kind.NOT_SERVING);
        assertThat(report(Map.of(1, elects, 2, elects, 3, elects)).risks(UnaryOperator.identity()))
                .singleElement()
                .asString()
                .contains("a:2181, b:2181, c:2181. Without a majority");
    }

    /** The server of the container is the second one. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "all serve, LEADER FOLLOWER FOLLOWER, ''",
        "its own leads, FOLLOWER LEADER FOLLOWER, ''",
        "its own is down, FOLLOWER SILENT LEADER, ''",
        "one is down, LEADER FOLLOWER SILENT, Wait for at c:2181.",
        "one hangs, LEADER FOLLOWER MUTE, Wait for at c:2181.",
        "one is behind, NOT_SERVING FOLLOWER LEADER, Wait for at a:2181.",
        "one has lost its data, LEADER FOLLOWER EMPTY, Wait for at c:2181.",
        "all elect, NOT_SERVING NOT_SERVING NOT_SERVING, too few do.",
        "two are down, SILENT NOT_SERVING SILENT, too few do.",
        "all of five serve, LEADER FOLLOWER FOLLOWER FOLLOWER FOLLOWER, ''",
        "one of five is down, LEADER FOLLOWER FOLLOWER FOLLOWER SILENT, ''",
        "its own and another of five are down, LEADER SILENT FOLLOWER FOLLOWER SILENT, ''",
        "two of five are down, LEADER FOLLOWER FOLLOWER SILENT SILENT, 'Wait for at d:2181, at e:2181.'",
    })
    void aMajorityMustStay(String state, String kinds, String objection) {
        Map<Integer, Answer> answers = new HashMap<>();
        for (String kind : kinds.split(" ")) {
            answers.put(answers.size() + 1, Answer.of(Kind.valueOf(kind)));
        }
        Servers all = Servers.parse(answers.size() == 3 ? "a,b,c" : "a,b,c,d,e");
        assertThat(new EnsembleReport("", List.of(), all, Optional.of(all.entry(2)), answers, Optional.empty())
                        .objection(address -> "at " + address, Set.of())
                        .orElse(""))
                .as(state)
                .contains(objection)
                .matches(text -> text.isEmpty() == objection.isEmpty());
    }

    @Test
    void aServerThatServesKnowsBetterThanAnswersWithoutAMajority() {
        Answer elects = Answer.of(Kind.NOT_SERVING);
        EnsembleReport before = report(Map.of(1, elects, 2, elects, 3, elects)).whileServing();
        assertThat(before.risks(UnaryOperator.identity())).isEmpty();
        assertThat(before.objection(UnaryOperator.identity(), Set.of()))
                .hasValueSatisfying(text -> assertThat(text).contains("ask again"));
        Map<Integer, Answer> oneDown = Map.of(1, Answer.of(Kind.LEADER), 2, Answer.of(Kind.FOLLOWER), 3, Answer.SILENT);
        assertThat(report(oneDown).whileServing()).isEqualTo(report(oneDown));
    }

    @Test
    void aServerWhoseContainerStopsIsNotCounted() {
        Answer follower = Answer.of(Kind.FOLLOWER);
        assertThat(report(Map.of(1, Answer.of(Kind.LEADER), 2, follower, 3, follower))
                        .objection(address -> "at " + address, Set.of("c:2181", "another:2181")))
                .hasValueSatisfying(text -> assertThat(text).contains("1 of 3", "Wait for at c:2181."));
    }

    @Test
    void aServerThatLedBeforeAnotherOneDoesNotCount() {
        Answer leads = new Answer(Kind.LEADER, 2L << 32, Set.of());
        Answer led = new Answer(Kind.LEADER, (1L << 32) + 100, Set.of());
        EnsembleReport report = report(Map.of(1, led, 2, Answer.of(Kind.FOLLOWER), 3, leads));
        assertThat(report.leader()).contains(servers.entry(3));
        assertThat(report.objection(address -> "at " + address, Set.of()))
                .hasValueSatisfying(text -> assertThat(text).contains("Wait for at a:2181."));
    }

    @Test
    void withoutAnswersItIsNotKnownWhetherAMajorityStays() {
        assertThat(report(Map.of()).objection(address -> "at " + address, Set.of()))
                .hasValueSatisfying(text -> assertThat(text).contains("ask again"));
        Map<Integer, Answer> oneDown = Map.of(1, Answer.of(Kind.LEADER), 2, Answer.of(Kind.FOLLOWER), 3, Answer.SILENT);
        EnsembleReport client = new EnsembleReport("", List.of(), servers, Optional.empty(), oneDown, Optional.empty());
        assertThat(client.objection(address -> "at " + address, Set.of())).isEmpty();
        Servers one = Servers.parse("a");
        assertThat(new EnsembleReport(
                                "",
                                List.of(),
                                one,
                                Optional.of(one.entry(1)),
                                Map.of(1, Answer.of(Kind.LEADER)),
                                Optional.empty())
                        .objection(address -> "at " + address, Set.of()))
                .hasValueSatisfying(text ->
                        assertThat(text).contains("always needed", "cut off").doesNotContain("Wait"));
    }

    @Test
    void itSaysWhoLeadsAndWhoIsBehind() {
        AddedSection.Content content = content(Map.of(
                1,
                new Answer(Kind.LEADER, 0x200000009L, Set.of()),
                2,
                new Answer(Kind.FOLLOWER, 0x200000004L, Set.of()),
                3,
                Answer.SILENT));

        assertThat(content.sentences())
                .containsExactly("A problem.", "It serves.", "Its data is in /data.", "Server 1 leads.");
        assertThat(content.rows())
                .containsExactly(
                        List.of("1", "a:2181", "leader", "0 transactions", "author-1"),
                        List.of("2", "b:2181", "follower", "5 transactions", "this container"),
                        List.of("3", "c:2181", "down", "unknown", ""));
    }

    @Test
    void theServerThatLeadsEndsLateAndOneThatCannotBeSpared() {
        Map<Integer, Answer> answers = Map.of(1, Answer.of(Kind.FOLLOWER), 2, Answer.of(Kind.LEADER));
        assertThat(report(answers).late()).containsOnlyKeys("b:2181");
        assertThat(report(Map.of()).late()).isEmpty();
        Servers one = Servers.parse("a");
        assertThat(new EnsembleReport("", List.of(), one, Optional.empty(), Map.of(), Optional.empty()).late())
                .containsOnlyKeys("a:2181");
    }

    @Test
    void withoutAMajorityNobodyLeads() {
        AddedSection.Content content = content(Map.of(1, Answer.of(Kind.NOT_SERVING)));

        assertThat(content.sentences()).contains("No server leads: the servers have no majority now.");
        assertThat(content.rows()).extracting(row -> row.get(2)).containsExactly("not serving", "down", "down");
    }
}
