// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.server.osgi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.felix.hc.api.Result;
import org.apache.felix.hc.api.Result.Status;
import org.apache.sling.discovery.commons.report.AddedSection;
import org.apache.sling.discovery.zk.server.EnsembleReport;
import org.apache.sling.discovery.zk.server.EnsembleReport.Role;
import org.apache.sling.discovery.zk.server.EnsembleReport.Server;
import org.junit.jupiter.api.Test;

/** What health check and page show of a report. */
class ShownEnsembleTest {

    private static EnsembleReport report(List<String> problems, Role... roles) {
        return new EnsembleReport("It serves.", problems, servers(roles), "/data", OptionalLong.of(5L << 20));
    }

    private static List<Server> servers(Role... roles) {
        return IntStream.range(0, roles.length)
                .mapToObj(i -> new Server(
                        i + 1,
                        "h" + (i + 1) + ":2181",
                        roles[i],
                        i == 0,
                        roles[i] == Role.DOWN ? OptionalLong.empty() : OptionalLong.of(i)))
                .toList();
    }

    private static Result health(EnsembleReport report) {
        return new ServerHealthCheck(() -> report).execute();
    }

    @Test
    void allServe() {
        assertThat(health(report(List.of(), Role.FOLLOWER, Role.LEADER, Role.FOLLOWER))
                        .getStatus())
                .isEqualTo(Status.OK);
    }

    @Test
    void oneIsDown() {
        Result result = health(report(List.of(), Role.FOLLOWER, Role.LEADER, Role.DOWN));
        assertThat(result.getStatus()).isEqualTo(Status.WARN);
        assertThat(result.toString()).contains("Server 3 at h3:2181 does not answer");
    }

    @Test
    void noMajority() {
        Result result = health(report(List.of(), Role.NOT_SERVING, Role.DOWN, Role.DOWN));
        assertThat(result.getStatus()).isEqualTo(Status.CRITICAL);
        assertThat(result.toString()).contains("No server leads");
    }

    @Test
    void aProblem() {
        Result result = health(report(List.of("The file system is nearly full."), Role.LEADER));
        assertThat(result.getStatus()).isEqualTo(Status.CRITICAL);
        assertThat(result.toString()).contains("nearly full");
    }

    @Test
    void thePage() {
        AddedSection.Content content = new EnsembleSection(
                        () -> report(List.of("A problem."), Role.FOLLOWER, Role.LEADER, Role.DOWN))
                .content();
        assertThat(content.sentences())
                .containsExactly(
                        "A problem.",
                        "It serves.",
                        "Its data is in /data, where 5 MB are free.",
                        "Server 2 leads: in a rolling restart, restart the container with h2:2181 last.");
        assertThat(content.rows())
                .containsExactly(
                        List.of("1", "h1:2181", "follower", "0 transactions", "yes"),
                        List.of("2", "h2:2181", "leader", "1 transactions", ""),
                        List.of("3", "h3:2181", "down", "unknown", ""));
    }
}
