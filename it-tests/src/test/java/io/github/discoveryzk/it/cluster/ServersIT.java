// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.discoveryzk.it.chaos.ServerProcess;
import io.github.discoveryzk.launcher.Ports;
import io.github.discoveryzk.report.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.admin.ZooKeeperAdmin;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults of servers and of what is below them: disks, names, clocks, and servers that others replace. */
@Tag("thorough")
class ServersIT {
    /** Long enough that a busy machine ends no session. */
    private static final int SESSION_MILLIS = 15_000;

    @TempDir
    private Path folder;

    private final Map<Integer, ServerProcess> servers = new LinkedHashMap<>();
    private final Map<Integer, String> entries = new LinkedHashMap<>();
    private Instances instances;
    private Process member;

    @BeforeEach
    void choosePorts() {
        for (int id = 1; id <= 6; id++) {
            entries.put(id, "127.0.0.1:" + Ports.free() + ":" + Ports.free() + ";127.0.0.1:" + Ports.free());
        }
    }

    @AfterEach
    void stop() {
        if (instances != null) {
            instances.close();
        }
        if (member != null) {
            member.destroyForcibly();
        }
        servers.values().forEach(ServerProcess::close);
    }

    private int clientPort(int id) {
        return Integer.parseInt(entries.get(id).replaceFirst(".*:", ""));
    }

    private String connectString(int... ids) {
        return IntStream.of(ids).mapToObj(id -> "127.0.0.1:" + clientPort(id)).collect(Collectors.joining(","));
    }

    /** Starts a server that knows these ones and itself. */
    private ServerProcess start(int id, List<Integer> known) throws IOException {
        List<String> lines = new ArrayList<>(List.of("reconfigEnabled=true", "standaloneEnabled=false"));
        known.forEach(each -> lines.add("server." + each + "=" + entries.get(each)));
        ServerProcess server = new ServerProcess(folder.resolve("server" + id), id, clientPort(id), lines);
        servers.put(id, server);
        server.start(Map.of("JDK_JAVA_OPTIONS", "-Dzookeeper.skipACL=yes"));
        return server;
    }

    private void startThree() throws IOException {
        List<Integer> first = List.of(1, 2, 3);
        for (int id : first) {
            start(id, first);
        }
        awaitFollowers(2);
    }

    private void awaitFollowers(int count) {
        awaitThat(count + " servers follow", () -> servers.values().stream()
                .anyMatch(server -> server.followers() == count));
    }

    /** Has writes of a process fail from now on, as a full disk does; without limit they succeed again. */
    private static void limitFiles(ServerProcess server, String bytes) throws Exception {
        Process prlimit = new ProcessBuilder("prlimit", "--pid", Long.toString(server.pid()), "--fsize=" + bytes + ":")
                .inheritIO()
                .start();
        assertThat(prlimit.waitFor()).isZero();
    }

    /** A server that cannot write its log ends. While the others are a majority, the cluster notices nothing. */
    @Test
    void fullDiskOfOneServerAndThenOfAll() throws Exception {
        startThree();
        instances = Instances.on(connectString(1, 2, 3), SESSION_MILLIS).startAll("a", "b");
        Map<PlainInstance, Integer> before = instances.marks();
        ServerProcess follower = servers.values().stream()
                .filter(server -> !server.isLeader())
                .findFirst()
                .orElseThrow();
        limitFiles(follower, "1");
        instances.get("a").offer("p", "1");
        awaitThat("the server ends", () -> !follower.isServing());
        awaitThat("b knows", () -> "1".equals(instances.get("b").properties("a").get("p")));
        instances.awaitSettled();
        awaitThat("the listeners know", () -> before.entrySet().stream()
                .allMatch(each -> each.getKey().types(each.getValue()).contains("PROPERTIES_CHANGED")));
        before.forEach((instance, mark) -> assertThat(instance.types(mark)).containsOnly("PROPERTIES_CHANGED"));

        for (ServerProcess server : servers.values()) {
            if (server != follower) {
                limitFiles(server, "1");
            }
        }
        instances.get("a").offer("p", "2");
        awaitThat("both say why", () -> instances.all().stream()
                .allMatch(each -> each.report().state() == State.CUT_OFF
                        && each.report().sentence().contains("quorum")));

        for (ServerProcess server : servers.values()) {
            server.stop();
            server.start();
        }
        awaitThat("both are back", () -> instances.all().stream()
                .allMatch(each -> each.order().size() == 2));
        instances.awaitNoProblems();
    }

    /** Three servers are replaced by three others, one after the other; the connect string has all six. */
    @Test
    void replacedServersCauseNoEvent() throws Exception {
        startThree();
        instances =
                Instances.on(connectString(1, 2, 3, 4, 5, 6), SESSION_MILLIS).startAll("a", "b");
        Map<PlainInstance, Integer> before = instances.marks();
        List<Integer> ensemble = new ArrayList<>(List.of(1, 2, 3));
        for (int added = 4; added <= 6; added++) {
            int removed = added - 3;
            List<Integer> known = new ArrayList<>(ensemble);
            known.add(added);
            start(added, known);
            reconfigure(ensemble.get(1), "server." + added + "=" + entries.get(added), null);
            awaitFollowers(3);
            reconfigure(ensemble.get(1), null, Integer.toString(removed));
            servers.remove(removed).close();
            ensemble.remove(Integer.valueOf(removed));
            ensemble.add(added);
            awaitFollowers(2);
        }
        instances.get("a").offer("p", "1");
        awaitThat("b knows", () -> "1".equals(instances.get("b").properties("a").get("p")));
        before.forEach((instance, mark) -> assertThat(instance.types(mark)).containsOnly("PROPERTIES_CHANGED"));
    }

    /** Repeats the request while the servers elect a leader, or are not ready for it. */
    @SuppressWarnings("try")
    private void reconfigure(int id, String joining, String leaving) {
        awaitThat("the ensemble changes", () -> {
            CountDownLatch connected = new CountDownLatch(1);
            try (ZooKeeperAdmin admin = new ZooKeeperAdmin(connectString(id), SESSION_MILLIS, event -> {
                if (event.getState() == KeeperState.SyncConnected) {
                    connected.countDown();
                }
            })) {
                connected.await();
                admin.reconfigure(joining, leaving, null, -1, new Stat());
                return true;
            } catch (KeeperException.ConnectionLossException
                    | KeeperException.ReconfigInProgress
                    | KeeperException.NewConfigNoQuorum e) {
                return false;
            }
        });
    }

    /** The server moves to another address of the same name. The member is a process of its own, because names are cached in each. */
    @Test
    void serverThatMovesToAnotherAddressIsFound() throws Exception {
        int port = clientPort(1);
        Path hosts = folder.resolve("hosts");
        Files.writeString(hosts, "127.0.0.1 zookeeper.example\n127.0.0.1 localhost\n");
        ServerProcess old = new ServerProcess(folder.resolve("server"), 1, port, List.of());
        servers.put(1, old);
        old.start();
        instances = Instances.on("127.0.0.1:" + port + ",127.0.0.2:" + port, SESSION_MILLIS)
                .startAll("a");
        member = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Djdk.net.hosts.file=" + hosts,
                        // The default of networkaddress.cache.ttl is 30 s.
                        "-Dsun.net.inetaddr.ttl=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        PlainInstance.class.getName(),
                        "b",
                        "zookeeper.example:" + port,
                        Integer.toString(SESSION_MILLIS))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("member.log").toFile())
                .start();
        awaitThat("both are members", () -> instances.get("a").order().equals(List.of("a", "b")));
        Map<PlainInstance, Integer> before = instances.marks();

        old.stop();
        Files.writeString(hosts, "127.0.0.2 zookeeper.example\n127.0.0.1 localhost\n");
        ServerProcess moved =
                new ServerProcess(folder.resolve("server"), 1, port, List.of("clientPortAddress=127.0.0.2"));
        servers.put(1, moved);
        moved.start();
        awaitThat(
                "b is connected again",
                () -> log().lines()
                                .filter(line -> line.contains("is back after"))
                                .count()
                        == 1);
        assertThat(instances.get("a").order()).containsExactly("a", "b");
        Instances.assertSince(before);
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("member.log"), StandardCharsets.UTF_8);
    }

    /** Sessions end by the monotonic clock of the server, so a jump of its wall clock has no effect. Needs Debian's faketime. */
    @Test
    void serverWhoseClockJumpsCausesNoEvent() throws Exception {
        Path time = folder.resolve("time");
        Files.writeString(time, "+0\n");
        ServerProcess server = new ServerProcess(folder.resolve("server"), 1, clientPort(1), List.of());
        servers.put(1, server);
        server.start(Map.of(
                "LD_PRELOAD",
                fakeTime(),
                "FAKETIME_TIMESTAMP_FILE",
                time.toString(),
                "FAKETIME_CACHE_DURATION",
                "1",
                "DONT_FAKE_MONOTONIC",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1"));
        instances = Instances.on(connectString(1), SESSION_MILLIS).startAll("a", "b");
        Map<PlainInstance, Integer> before = instances.marks();
        int jumps = 0;
        for (int days : new int[] {3, -3, 0}) {
            Files.writeString(time, String.format("%+dd%n", days));
            Duration jump = Duration.ofDays(days);
            awaitThat(
                    "the clock of the server jumps",
                    () -> Duration.ofMillis(serverMillis() - System.currentTimeMillis())
                                    .minus(jump)
                                    .abs()
                                    .toMinutes()
                            < 60);
            String value = Integer.toString(jumps++);
            instances.get("a").offer("p" + value, value);
            awaitThat(
                    "b knows",
                    () -> value.equals(instances.get("b").properties("a").get("p" + value)));
            instances.awaitSettled(Duration.ofMillis(SESSION_MILLIS), Duration.ofMinutes(2));
        }
        before.forEach((instance, mark) -> assertThat(instance.types(mark)).containsOnly("PROPERTIES_CHANGED"));
    }

    /** Returns the time of the server. */
    @SuppressWarnings("try")
    private long serverMillis() throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        try (ZooKeeper client = new ZooKeeper(connectString(1), SESSION_MILLIS, event -> connected.countDown())) {
            connected.await();
            return client.setData("/", new byte[0], -1).getMtime();
        }
    }

    /** Returns the library that the command would preload. */
    private static String fakeTime() throws Exception {
        Process faketime;
        try {
            faketime = new ProcessBuilder("faketime", "-f", "+0", "env").start();
        } catch (IOException e) {
            assumeTrue(false, "there is no command faketime: " + e.getMessage());
            return "";
        }
        return new String(faketime.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("LD_PRELOAD="))
                .map(line -> line.substring("LD_PRELOAD=".length()))
                .findFirst()
                .orElseThrow();
    }
}
