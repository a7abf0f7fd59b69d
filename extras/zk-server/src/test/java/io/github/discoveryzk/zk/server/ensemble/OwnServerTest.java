// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.ensemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real server, as an ensemble of one. */
class OwnServerTest {
    private static final Duration LIMIT = Duration.ofSeconds(Integer.getInteger("discovery.test.limit.seconds", 90));

    @TempDir
    private Path folder;

    private Servers servers;
    private OwnServer server;

    @BeforeEach
    void choosePorts() throws IOException {
        servers = Servers.parse("127.0.0.1:" + freePorts());
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    /** Holds all three until all are chosen, or two may be equal. */
    static String freePorts() throws IOException {
        try (ServerSocket one = bound();
                ServerSocket two = bound();
                ServerSocket three = bound()) {
            return one.getLocalPort() + ":" + two.getLocalPort() + ":" + three.getLocalPort();
        }
    }

    private static ServerSocket bound() throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return socket;
    }

    private EnsembleReport report() {
        return server.report();
    }

    private void start() {
        server = new OwnServer(servers, folder, () -> {});
        server.start();
    }

    private void startAndServe() {
        start();
        await("the server serves")
                .atMost(LIMIT)
                .until(() ->
                        report().leader().isPresent() && report().sentence().contains(" serves "));
    }

    private void restart(Action between) throws IOException {
        server.close();
        between.run();
        start();
    }

    private interface Action {
        void run() throws IOException;
    }

    private void untilProblem(String part) {
        await("the problem " + part).atMost(LIMIT).untilAsserted(() -> assertThat(report().problems())
                .singleElement()
                .asString()
                .contains(part));
    }

    /** Its own name may follow late. */
    @Test
    void aClientIsNotReadyWhileAServerIsDown() {
        servers = Servers.parse("a.invalid,b.invalid,c.invalid");
        start();
        await("it names the servers").atMost(LIMIT).untilAsserted(() -> assertThat(
                        server.startup().sentence())
                .contains(
                        "client only", "no ZooKeeper server serves on a.invalid:2181, b.invalid:2181, c.invalid:2181"));
        assertThat(server.startup().isReady()).isFalse();
    }

    @Test
    void aServerThatDoesNotStopInTimeIsLogged() {
        CountDownLatch busy = new CountDownLatch(1);
        server = new OwnServer(servers, folder, () -> {
            try {
                busy.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
        assertThat(server.address()).isPresent();
        assertThat(logged(() -> server.close(1))).contains("has not stopped within 1 ms");
        busy.countDown();
        assertThat(logged(server::close)).doesNotContain("has not stopped");
    }

    private static String logged(Runnable action) {
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            action.run();
        } finally {
            System.setErr(before);
        }
        return log.toString(StandardCharsets.UTF_8);
    }

    private interface Request<T> {
        T of(ZooKeeper client) throws Exception;
    }

    private <T> T ask(Request<T> request) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper(servers.connectString(), 10_000, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        try {
            connected.await();
            return request.of(client);
        } finally {
            client.close();
        }
    }

    private void write(String path) throws Exception {
        ask(client -> client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
    }

    private List<Path> files(String name) throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve(name))) {
            return all.toList();
        }
    }

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getThreadGroup() != null
                        && thread.getThreadGroup().getName().equals("main"))
                .map(Thread::getName)
                .filter(name -> !name.startsWith("awaitility"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void itKeepsItsDataAndLeavesNoThreadPropertyOrFileBehind() throws Exception {
        Set<String> threads = threads();
        startAndServe();
        assertThat(report().content(Map.of()).rows())
                .containsExactly(
                        List.of("1", servers.entry(1).address(), "leader", "0 transactions", "this container"));
        assertThat(report().problems()).isEmpty();
        assertThat(report().disk().orElseThrow()).contains(" MB are free");
        write("/kept");
        int configurations = files("configuration").size();
        restart(() -> {});
        startedAgain();
        assertThat((Object) ask(client -> client.exists("/kept", false))).isNotNull();
        assertThat(files("configuration")).hasSize(configurations);
        server.close();
        assertThat(System.getProperties().stringPropertyNames()).noneMatch(key -> key.startsWith("zookeeper."));
        await("no thread is left").atMost(LIMIT).untilAsserted(() -> assertThat(threads())
                .isSubsetOf(threads));
    }

    private void startedAgain() {
        await("the server serves again").atMost(LIMIT).until(() -> report().leader()
                .isPresent());
    }

    @Test
    void lostDataIsNamed() throws Exception {
        startAndServe();
        write("/lost");
        restart(() -> delete(folder.resolve("data/version-2")));
        untilProblem("The data of this server is lost");
        assertThat(report().leader()).isEmpty();
        restart(() -> delete(folder));
        startedAgain();
    }

    private static void delete(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            try (Stream<Path> all = Files.list(path)) {
                for (Path each : all.toList()) {
                    delete(each);
                }
            }
        }
        Files.delete(path);
    }

    @Test
    void foreignDataIsNamed() throws Exception {
        startAndServe();
        restart(() -> Files.writeString(folder.resolve("data/myid"), "2"));
        untilProblem("belongs to server 2");
    }

    @Test
    void aCopyOfItsDataIsNamedWhileItRuns(@TempDir Path copy) throws Exception {
        startAndServe();
        Files.createDirectories(copy.resolve("data"));
        Files.copy(folder.resolve("data/myid"), copy.resolve("data/myid"));
        OwnServer second = new OwnServer(servers, copy, () -> {});
        second.start();
        await("the copy is refused")
                .atMost(LIMIT)
                .until(() -> second.report().problems().toString().contains("two servers have the same id"));
        second.close();
        assertThat(report().leader().isPresent()).isTrue();
    }

    @Test
    void aReportAsksNoServerItself() throws Exception {
        try (ServerSocket port = bound()) {
            port.setSoTimeout(1);
            server = new OwnServer(Servers.parse("127.0.0.1:" + port.getLocalPort() + ":1:2"), folder, () -> {});
            assertThat(report().content(Map.of()).rows().get(0)).contains("unknown");
            assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(port::accept);
        }
    }

    @Test
    void aNearlyFullDiskIsNamed() {
        assertThat(DataFolder.disk(folder, (200L << 20) - 1))
                .singleElement()
                .asString()
                .contains("nearly full");
        assertThat(DataFolder.disk(folder, 200L << 20)).isEmpty();
    }

    @Test
    void aServerStopsBelowTheLeastFreeSpaceAndStartsAgain() {
        AtomicLong free = new AtomicLong(1L << 40);
        server = new OwnServer(servers, new DataFolder(folder, free::get), () -> {});
        server.start();
        startedAgain();
        free.set(1);
        untilProblem("is stopped");
        await("it stops").atMost(LIMIT).until(() -> report().leader().isEmpty());
        assertThat(server.problems(UnaryOperator.identity())).anyMatch(each -> each.contains("Without a majority"));
        free.set(1L << 40);
        startedAgain();
        await("no problem is left").atMost(LIMIT).untilAsserted(() -> assertThat(
                        server.problems(UnaryOperator.identity()))
                .isEmpty());
    }

    @Test
    void anUnusableFolderIsNamedWithTheReason() throws Exception {
        Files.writeString(folder.resolve("file"), "");
        server = new OwnServer(servers, folder.resolve("file/below"), () -> {});
        server.start();
        untilProblem("cannot be used (java.nio.file.FileSystemException");
    }

    @Test
    void theReasonWhyAnEmptyServerDoesNotVoteStays() throws Exception {
        try (ServerSocket second = bound();
                ServerSocket third = bound()) {
            List.of(second, third)
                    .forEach(socket -> CompletableFuture.runAsync(() -> answerAsServerWithoutQuorum(socket)));
            servers = Servers.parse("127.0.0.1:" + freePorts() + ",127.0.0.1:" + second.getLocalPort()
                    + ":1:2,127.0.0.1:" + third.getLocalPort() + ":3:4");
            start();
            await("it runs").atMost(LIMIT).untilAsserted(() -> assertThat(report().sentence())
                    .contains("waits for a majority", "Its data folder is empty, and the others have no quorum"));
        }
    }

    private static void answerAsServerWithoutQuorum(ServerSocket socket) {
        while (!socket.isClosed()) {
            try (Socket client = socket.accept()) {
                client.getInputStream().readNBytes(4);
                client.getOutputStream().write("This ZooKeeper instance is not currently serving requests".getBytes());
            } catch (IOException e) {
                // The test has ended.
            }
        }
    }

    @Test
    void aSecondContainerOfTheMachineIsAClientAsLongAsTheListIsTheSame(@TempDir Path other) throws Exception {
        startAndServe();
        for (String sentence : List.of("so this container is a client only", "a client only since its first start")) {
            OwnServer second = new OwnServer(servers, other, () -> {});
            second.start();
            await("it is a client")
                    .atMost(LIMIT)
                    .until(() -> second.report().sentence().contains(sentence));
            await("its leader")
                    .atMost(LIMIT)
                    .until(() -> second.report().leader().isPresent());
            second.close();
        }
        server.close();
        servers = Servers.parse("127.0.0.1:" + freePorts());
        server = new OwnServer(servers, other, () -> {});
        server.start();
        startedAgain();
    }

    @Test
    void aPortOfAnotherKindOfProcessIsNamed() throws Exception {
        try (ServerSocket foreign = new ServerSocket()) {
            foreign.bind(new InetSocketAddress("127.0.0.1", servers.entry(1).quorum()));
            start();
            untilProblem("not a ZooKeeper server has the port [" + foreign.getLocalPort() + "] of");
        }
        startedAgain();
    }

    @Test
    void allSnapshotsButThreeArePurged() throws Exception {
        startAndServe();
        write("/a");
        restart(() -> {
            Path latest = latestSnapshot();
            for (String zxid : List.of("1", "2", "3", "4", "5")) {
                Files.copy(latest, latest.resolveSibling("snapshot." + zxid));
            }
        });
        startedAgain();
        await("old snapshots are gone")
                .atMost(LIMIT)
                .until(() -> files("data/version-2").stream()
                                .filter(file -> file.getFileName().toString().startsWith("snapshot."))
                                .count()
                        == 3);
    }

    private Path latestSnapshot() throws IOException {
        return files("data/version-2").stream()
                .filter(file -> file.getFileName().toString().startsWith("snapshot."))
                .max(Comparator.comparing(
                        file -> Long.parseLong(file.getFileName().toString().substring("snapshot.".length()), 16)))
                .orElseThrow();
    }

    @Test
    void aBrokenMyidIsNamed() throws Exception {
        Files.createDirectories(folder.resolve("data"));
        Files.write(folder.resolve("data/myid"), "one".getBytes(StandardCharsets.UTF_8));
        start();
        untilProblem("myid has no number");
    }
}
