// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import static org.apache.sling.discovery.it.chaos.Limits.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.report.InstanceState;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.commons.report.TopologyReport.State;
import org.apache.sling.discovery.commons.report.TopologyReport.Status;
import org.apache.sling.discovery.it.cluster.PlainInstance;
import org.apache.sling.discovery.launcher.Ports;
import org.apache.sling.discovery.zk.ZooKeeperStoreConfig;
import org.junit.jupiter.api.Test;

/** The only server accepts connections and does not reply: each instance says that it is cut off, the leader too. */
class PausedServerIT {

    private static final int LOWEST_PORT = 12_000;
    private static final int LOWEST_OWN_PORT = 32_000;
    private static final int SESSION_MILLIS = 6_000;
    private static final long LEASE_MILLIS = SESSION_MILLIS * 2 / 3;

    @Test
    void leaderAndFollowersAreCutOffAtTheSameTimeAndRecover() throws Exception {
        int port = new Random()
                .ints(LOWEST_PORT, LOWEST_OWN_PORT)
                .filter(Ports::isFree)
                .findFirst()
                .orElseThrow();
        try (ServerProcess server =
                new ServerProcess(Runs.folder(PausedServerIT.class).resolve("server"), 1, port, List.of())) {
            server.start();
            List<PlainInstance> members = Stream.of("a", "b", "c")
                    .map(id -> new PlainInstance(
                            id, ZooKeeperStoreConfig.of("127.0.0.1:" + port).withSessionTimeout(SESSION_MILLIS)))
                    .toList();
            try {
                for (PlainInstance member : members) {
                    member.start();
                    awaitThat("it is settled", () -> !member.order().isEmpty());
                }
                awaitThat("all are settled", () -> isSettled(members));
                try (Pause pause = server.pause()) {
                    assertThat(pause).isNotNull();
                    awaitThat("all are cut off", () -> members.stream()
                            .allMatch(each -> each.report().state() == State.CUT_OFF));
                    areCutOffTogether(members);
                }
                awaitThat("all are settled again", () -> isSettled(members));
            } finally {
                members.forEach(PlainInstance::close);
            }
        }
    }

    private static boolean isSettled(List<PlainInstance> members) {
        return members.stream().allMatch(each -> each.order().size() == members.size());
    }

    private static void areCutOffTogether(List<PlainInstance> members) {
        List<Long> times =
                members.stream().map(each -> cutOffSince(each).getAsLong()).toList();
        long leader = times.get(0);
        assertThat(times.subList(1, times.size()))
                .as("when the followers were cut off; the leader at %s", leader)
                .allSatisfy(
                        follower -> assertThat(Math.abs(leader - follower)).isLessThanOrEqualTo(LEASE_MILLIS + 1_000));
        assertThat(members).allSatisfy(member -> {
            TopologyReport report = member.report();
            List<Instance> all = report.clusters().get(0).instances();
            assertThat(all).filteredOn(Instance::local).singleElement().satisfies(own -> assertThat(
                            own.status().state())
                    .isEqualTo(InstanceState.CUT_OFF));
            assertThat(all)
                    .filteredOn(each -> !each.local())
                    .allSatisfy(other -> assertThat(other.status().state()).isEqualTo(InstanceState.UNKNOWN));
            assertThat(report.situation().connection()).hasValueSatisfying(connection -> assertThat(connection.usable())
                    .isFalse());
        });
    }

    private static OptionalLong cutOffSince(PlainInstance member) {
        return member.report().recent().transitions().stream()
                .filter(each -> each.state() == State.CUT_OFF)
                .mapToLong(Status::sinceMillis)
                .findFirst();
    }
}
