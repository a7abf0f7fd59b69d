// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.testing.server.TcpProxy;
import io.github.discoveryzk.testing.server.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Members in processes of their own are killed and disturbed, as often as {@code -Dcrash.times} says. A crash is noticed long before the
 * end of the session, and nothing else is taken for one. Not part of the usual build: {@code -Pcrash} runs it and nothing else, on an idle
 * machine.
 */
class CrashRun {

    private static final int TIMES = Integer.getInteger("crash.times", 100);

    /** How many clusters are disturbed at the same time. */
    private static final int CLUSTERS = Math.min(5, TIMES);

    private static final int SIZE = 3;
    private static final int NO_LEASE_OF_ITS_OWN = Integer.MAX_VALUE;
    private static final Duration PAUSE = Duration.ofSeconds(5);

    /** Longer than it takes to create a suspicion, and less than the verdict time. */
    private static final Duration NOTICED = Duration.ofMillis(250);

    /** Longer than the verdict time, and than the first attempts to connect again. */
    private static final Duration CALM = Duration.ofSeconds(1);

    /** Longer than it takes until a member that cannot be reached is a problem. */
    private static final Duration UNREACHABLE = Duration.ofSeconds(11);

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "{0} of {1} members, lease {2} ms, proof {3}")
    @CsvSource({
        "follower, 3, 0, false, 1000",
        "follower, 10, 0, false, 1000",
        "leader, 3, 2000, false, 3000",
        "leader, 3, 0, true, 1000"
    })
    void aKilledMemberIsNoticed(String who, int size, int lease, boolean provable, long limitMillis) throws Exception {
        List<Long> changing = new ArrayList<>();
        List<Long> changed = new ArrayList<>();
        try (TestServer server = new TestServer(folder.resolve("server"));
                CrashCluster cluster = new CrashCluster(
                        server.address(), folder, lease == 0 ? NO_LEASE_OF_ITS_OWN : lease, provable)) {
            for (int i = 0; i < size; i++) {
                cluster.join();
            }
            for (int i = 0; i < TIMES; i++) {
                List<String> order = new ArrayList<>(cluster.members.keySet());
                CrashMember killed = cluster.members.remove(order.get(who.equals("leader") ? 0 : 1 + i % (size - 1)));
                Map<CrashMember, Integer> marks = cluster.marks();
                long start = System.nanoTime();
                killed.kill();
                cluster.awaitSettled();
                changing.add(CrashCluster.latestMillis(marks, start, 1));
                changed.add(CrashCluster.latestMillis(marks, start, 2));
                cluster.join();
            }
        }
        say(who + " of " + size + ", lease " + lease + ", proof " + provable + ": CHANGING " + summary(changing)
                + ", CHANGED " + summary(changed));
        assertThat(changed).allMatch(millis -> millis < limitMillis);
    }

    /** The member that is stopped watches the killed one, and has noticed its end. */
    @Test
    void aKilledMemberIsNoticedAlthoughAnAccuserIsStopped() throws Exception {
        several("killed and an accuser stopped", 4, false, 1_500, (cluster, order, round) -> {
            int killed = 1 + round % 3;
            cluster.members.remove(order.get(killed)).kill();
            Limit.pass(NOTICED);
            cluster.members.remove(order.get(killed - 1)).stop();
        });
    }

    /** Without a proof they are as members on several hosts, and the leader is not among them, because its lease would be waited for. */
    @ParameterizedTest(name = "proof {0}")
    @ValueSource(booleans = {false, true})
    void threeOfFiveThatAreKilledTogetherAreNoticed(boolean provable) throws Exception {
        several("three of five killed, proof " + provable, 5, provable, 1_500, (cluster, order, round) -> {
            int first = provable ? round % 3 : 1 + round % 2;
            order.subList(first, first + 3)
                    .forEach(id -> cluster.members.remove(id).kill());
        });
    }

    /** Removes members of a cluster again and again, and requires that the others are settled in time. */
    private void several(String what, int size, boolean provable, long limitMillis, Removal removal) throws Exception {
        List<Long> settled = new ArrayList<>();
        try (TestServer server = new TestServer(folder.resolve("server"));
                CrashCluster cluster = new CrashCluster(server.address(), folder, NO_LEASE_OF_ITS_OWN, provable)) {
            for (int round = 0; round < TIMES; round++) {
                while (cluster.members.size() < size) {
                    cluster.join();
                }
                long start = System.nanoTime();
                removal.remove(cluster, List.copyOf(cluster.members.keySet()), round);
                cluster.awaitSettled();
                settled.add(CrashCluster.lastMillis(cluster.marks(), start));
            }
        }
        say(what + ": settled " + summary(settled));
        assertThat(settled).allMatch(millis -> millis < limitMillis);
    }

    @Test
    void aPausedMemberCausesNoEvent() throws Exception {
        withoutEvent("paused", (cluster, proxies, round) -> pause(cluster, round, () -> {}));
    }

    @Test
    void aConnectionThatIsResetCausesNoEvent() throws Exception {
        withoutEvent("reset", (cluster, proxies, round) -> {
            proxies.get(round % SIZE).reset();
            Limit.pass(CALM);
        });
    }

    @Test
    void aConnectionThatIsClosedCausesNoEvent() throws Exception {
        withoutEvent("closed", (cluster, proxies, round) -> {
            TcpProxy proxy = proxies.get(round % SIZE);
            proxy.cut();
            Limit.pass(CALM);
            proxy.restore();
            Limit.pass(CALM);
        });
    }

    @Test
    void anAccuserThatIsPausedWhileItsConnectionsAreResetCausesNoEvent() throws Exception {
        withoutEvent(
                "accuser paused",
                (cluster, proxies, round) -> pause(cluster, round, () -> proxies.forEach(TcpProxy::reset)));
    }

    /** In every second cluster the ports refuse, in the others they do not answer. */
    @Test
    void aPortThatIsBlockedCausesNoEvent() throws Exception {
        all("blocked", number -> {
            for (int round = 0; round < TIMES / CLUSTERS; round++) {
                Path home = folder.resolve("blocked-" + number + "-" + round);
                try (TestServer server = new TestServer(home.resolve("server"));
                        SilentPort silent = new SilentPort();
                        CrashCluster cluster = new CrashCluster(server.address(), home, NO_LEASE_OF_ITS_OWN, true)) {
                    String refusing = "127.0.0.1:" + CrashCluster.freePorts(1).get(0);
                    String blocked = number % 2 == 0 ? refusing : silent.endpoint();
                    cluster.startElsewhere(CrashCluster.freePorts(SIZE), List.of(blocked, blocked, blocked));
                    Map<CrashMember, Integer> marks = cluster.marks();
                    Limit.pass(UNREACHABLE);
                    CrashCluster.assertNoEventSince(marks);
                    assertThat(cluster.members.values()).allMatch(each -> each.watches("") == 0);
                }
            }
            return null;
        });
    }

    @Test
    void aRollingRestartOfTheServersCausesNoEvent() throws Exception {
        try (Ensemble ensemble = Ensemble.start(folder);
                CrashCluster cluster = new CrashCluster(ensemble.connectString(), folder, NO_LEASE_OF_ITS_OWN, true)) {
            for (int i = 0; i < SIZE; i++) {
                cluster.join();
            }
            Map<CrashMember, Integer> marks = cluster.marks();
            for (int round = 0; round < TIMES; round++) {
                ensemble.restartOneByOne();
                // A client that each time connects to the server that is restarted next would be cut off for many
                // rounds.
                awaitThat("all have connected again", () -> cluster.members.values().stream()
                        .allMatch(CrashMember::isSettled));
                CrashCluster.assertNoEventSince(marks);
            }
        }
        say("servers restarted one by one: no event");
    }

    /** Pauses a member, with something else during the pause. */
    private static void pause(CrashCluster cluster, int round, Runnable meanwhile) throws IOException {
        List<CrashMember> all = List.copyOf(cluster.members.values());
        Pause pause = Pause.of(all.get(round % SIZE).pid());
        try {
            Limit.pass(PAUSE.dividedBy(2));
            meanwhile.run();
            Limit.pass(PAUSE.dividedBy(2));
        } finally {
            pause.close();
        }
        Limit.pass(CALM);
    }

    /** Disturbs clusters whose members watch each other through proxies, and requires that no member has an event. */
    private void withoutEvent(String what, Disturbance disturbance) throws Exception {
        all(what, number -> {
            Path home = folder.resolve(what + number);
            List<Integer> ports = CrashCluster.freePorts(SIZE);
            List<TcpProxy> proxies = ports.stream().map(TcpProxy::new).toList();
            try (TestServer server = new TestServer(home.resolve("server"));
                    CrashCluster cluster = new CrashCluster(server.address(), home, NO_LEASE_OF_ITS_OWN, true)) {
                cluster.startElsewhere(
                        ports, proxies.stream().map(TcpProxy::address).toList());
                cluster.members.values().forEach(cluster::awaitWatched);
                Map<CrashMember, Integer> marks = cluster.marks();
                for (int round = 0; round < TIMES / CLUSTERS; round++) {
                    disturbance.disturb(cluster, proxies, round);
                }
                CrashCluster.assertNoEventSince(marks);
            } finally {
                proxies.forEach(TcpProxy::close);
            }
            return null;
        });
    }

    /** Runs several clusters at the same time. */
    private static void all(String what, Part part) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLUSTERS);
        try {
            List<Callable<Void>> parts = IntStream.range(0, CLUSTERS)
                    .mapToObj(number -> (Callable<Void>) () -> part.run(number))
                    .toList();
            for (Future<Void> each : threads.invokeAll(parts)) {
                each.get();
            }
        } finally {
            threads.shutdown();
        }
        say(what + " " + TIMES / CLUSTERS * CLUSTERS + " times: no event");
    }

    private static String summary(List<Long> millis) {
        List<Long> sorted = millis.stream().sorted().toList();
        return "median " + sorted.get(sorted.size() / 2) + " ms, most " + sorted.get(sorted.size() - 1) + " ms";
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Removes members of a cluster, which are given in their order. */
    @FunctionalInterface
    private interface Removal {
        void remove(CrashCluster cluster, List<String> order, int round) throws IOException;
    }

    /** A disturbance of one cluster. */
    @FunctionalInterface
    private interface Disturbance {
        void disturb(CrashCluster cluster, List<TcpProxy> proxies, int round) throws Exception;
    }

    /** What is done with one of the clusters. */
    @FunctionalInterface
    private interface Part {
        Void run(int number) throws Exception;
    }

    /** A port like one behind a firewall: the system drops what would connect, because the queue is full. */
    private static final class SilentPort implements AutoCloseable {
        private static final int QUEUED = 2;

        private final ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final List<Socket> queued = new ArrayList<>();

        SilentPort() throws IOException {
            for (int i = 0; i < QUEUED; i++) {
                queued.add(new Socket(full.getInetAddress(), full.getLocalPort()));
            }
        }

        String endpoint() {
            return "127.0.0.1:" + full.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            for (Socket each : queued) {
                each.close();
            }
            full.close();
        }
    }
}
