// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.zk.server.ensemble.Answer.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

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
        assertThat(report(Map.of(1, leader, 2, follower, 3, follower)).risks()).isEmpty();
        assertThat(report(Map.of(1, leader, 2, follower)).risks())
                .singleElement()
                .asString()
                .contains("c:2181", "if one more fails");
        assertThat(report(Map.of(1, Answer.of(Kind.NOT_SERVING), 2, follower)).risks())
                .singleElement()
                .asString()
                .contains("a:2181, c:2181", "no majority");
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
    void withoutAMajorityNobodyLeads() {
        AddedSection.Content content = content(Map.of(1, Answer.of(Kind.NOT_SERVING)));

        assertThat(content.sentences()).contains("No server leads: the servers have no majority now.");
        assertThat(content.rows()).extracting(row -> row.get(2)).containsExactly("not serving", "down", "down");
    }
}
