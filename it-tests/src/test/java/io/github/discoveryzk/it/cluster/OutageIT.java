// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.discoveryzk.it.chaos.Pause;
import io.github.discoveryzk.it.chaos.ServerProcess;
import io.github.discoveryzk.launcher.Ports;
import io.github.discoveryzk.report.InstanceState;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.spi.SettlingPolicy.Quarantine;
import io.github.discoveryzk.spi.SettlingPolicy.SuspendedPolicy;
import io.github.discoveryzk.testing.server.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The only server stops for longer than sessions last. {@code -Ddiscovery.outages=10,15,20 -Ddiscovery.outages.session=10000
 * -Ddiscovery.outages.regroup=2000} sets how many seconds it stops each time, the session timeout, and how long instances regroup: here long
 * enough for a busy machine.
 */
class OutageIT {

    private static final boolean THOROUGH = Boolean.getBoolean("discovery.thorough");
    private static final List<Integer> SECONDS = Stream.of(
                    System.getProperty("discovery.outages", THOROUGH ? "3,6" : "3")
                            .split(","))
            .map(Integer::valueOf)
            .toList();
    private static final int SESSION_MILLIS = Integer.getInteger("discovery.outages.session", 2_000);
    private static final Duration LONG = Duration.ofMillis(60_000 + 3L * SESSION_MILLIS);
    /** A session of the last one may outlive its client for that long. */
    private static final Duration CALM = Duration.ofMillis(SESSION_MILLIS * 3L / 2);
    /** No number of outages is too many. */
    private static final Quarantine TOLERANT = new Quarantine(1_000, 1_000, 100, 100);

    private static final SettlingPolicy POLICY = new SettlingPolicy(
            30_000,
            0,
            Integer.getInteger("discovery.outages.regroup", 10_000),
            SettlingPolicy.DEFAULT.stepInMillis(),
            SuspendedPolicy.LEASE,
            TOLERANT,
            1,
            Integer.MAX_VALUE);

    @TempDir
    private Path folder;

    static IntStream sizes() {
        return THOROUGH ? IntStream.of(3, 5) : IntStream.of(3);
    }

    /** A server that is started again gives all sessions their full time, so the clients have given them up and the servers have not. */
    @ParameterizedTest
    @MethodSource("sizes")
    @Tag("thorough")
    void eachMemberHearsOneChangingAndOneChangedWhenTheServerIsStartedAgain(int size) throws Exception {
        try (TestServer server = new TestServer(folder)) {
            play(server.address(), size, end -> {
                server.stop();
                end.run();
                server.start();
            });
        }
    }

    /** A server that was suspended accepts connections and does not reply, and ends the sessions as soon as it goes on. */
    @ParameterizedTest
    @MethodSource("sizes")
    void eachMemberHearsOneChangingAndOneChangedWhenTheServerGoesOn(int size) throws Exception {
        int port = Ports.free();
        try (ServerProcess server = new ServerProcess(folder, 1, port, List.of())) {
            server.start();
            play("127.0.0.1:" + port, size, end -> {
                try (Pause pause = server.pause()) {
                    assertThat(pause).isNotNull();
                    end.run();
                }
            });
        }
    }

    /** Takes the servers away until the given action returns. */
    private interface Outage {
        void until(Runnable end) throws Exception;
    }

    private static void play(String address, int size, Outage outage) throws Exception {
        try (Instances instances = Instances.on(address, SESSION_MILLIS, POLICY)) {
            instances.startAll(size);
            for (int seconds : SECONDS) {
                instances.awaitSettled(CALM, LONG);
                Map<PlainInstance, Integer> before = instances.marks();
                long until = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
                outage.until(() -> {
                    await("the end of the outage")
                            .atMost(LONG.plusSeconds(seconds))
                            .until(() -> System.nanoTime() >= until
                                    && instances.all().stream().allMatch(OutageIT::isCutOff));
                    instances.all().forEach(OutageIT::assertSaysSo);
                });
                instances.awaitSettled(CALM, LONG);
                Instances.assertSince(before, Type.TOPOLOGY_CHANGING, Type.TOPOLOGY_CHANGED);
            }
        }
    }

    private static boolean isCutOff(PlainInstance instance) {
        return instance.report().state() == State.CUT_OFF;
    }

    /** The leader too says that it is cut off, and that it knows nothing about the others. */
    private static void assertSaysSo(PlainInstance instance) {
        TopologyReport report = instance.report();
        assertThat(report.clusters().get(0).instances())
                .allSatisfy(each -> assertThat(each.status().state())
                        .isEqualTo(each.local() ? InstanceState.CUT_OFF : InstanceState.UNKNOWN));
        assertThat(report.situation().connection().filter(connection -> connection.usable()))
                .isEmpty();
    }
}
