// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.testing.server.TestServer;
import io.github.discoveryzk.work.Ownership;
import io.github.discoveryzk.work.Worker;
import io.github.discoveryzk.work.place.Work;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three processes have thirty keys; one is killed. */
class WorkIT {

    private static final int KEYS = 30;
    private static final int SESSION_MILLIS = 10_000;
    private static final long BALANCE_DELAY_MILLIS = 1_000;

    private final Map<String, Set<String>> keys = new ConcurrentHashMap<>();
    private final Map<String, Process> processes = new TreeMap<>();
    private final Set<String> ends = new ConcurrentSkipListSet<>();
    private final CopyOnWriteArrayList<String> broken = new CopyOnWriteArrayList<>();

    /** Is a member that works: an id and the connect string. It ends with its parent process. */
    public static void main(String[] arguments) throws IOException {
        PlainInstance one = new PlainInstance(
                arguments[0], ZooKeeperStoreConfig.of(arguments[1]).withSessionTimeout(SESSION_MILLIS));
        Work work = new Work(one.discovery().local(), one.discovery().data(), Time.SYSTEM, () -> BALANCE_DELAY_MILLIS);
        Worker worker = new Worker() {
            @Override
            public void begin(Ownership ownership) {
                System.out.println("begin " + ownership.key());
            }

            @Override
            public void end(Ownership ownership) {
                System.out.println("end " + ownership.key());
            }
        };
        work.add(
                worker,
                () -> "the worker of " + arguments[0],
                "feeds",
                IntStream.range(0, KEYS).mapToObj(i -> "feed-" + i).toList());
        one.join();
        System.in.transferTo(OutputStream.nullOutputStream());
        Runtime.getRuntime().halt(0);
    }

    @Test
    void keysAreSpreadAndOnlyThoseOfAKilledOwnerMove(@TempDir Path folder) throws Exception {
        try (TestServer server = new TestServer(folder)) {
            start("a", server.address(), folder);
            awaitThat("a has all keys", () -> count("a") == KEYS);
            start("b", server.address(), folder);
            start("c", server.address(), folder);
            awaitThat(
                    "each has ten keys",
                    () -> keys.size() == 3 && keys.values().stream().allMatch(each -> each.size() == 10));
            assertThat(ends).hasSize(20);
            Set<String> ofB = Set.copyOf(keys.get("b"));
            Set<String> ofC = Set.copyOf(keys.get("c"));
            keys.remove("a").clear();
            processes.get("a").destroyForcibly();
            awaitThat("the keys of a have owners", () -> count("b") == 15 && count("c") == 15);
            assertThat(keys.get("b")).containsAll(ofB);
            assertThat(keys.get("c")).containsAll(ofC);
            assertThat(ends).as("no other key has moved").hasSize(20);
            assertThat(broken).isEmpty();
        }
    }

    private int count(String id) {
        return keys.getOrDefault(id, Set.of()).size();
    }

    private void start(String id, String servers, Path folder) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        WorkIT.class.getName(),
                        id,
                        servers)
                .redirectError(folder.resolve(id + ".log").toFile())
                .start();
        processes.put(id, process);
        Thread reader = new Thread(() -> read(id, process), "work of " + id);
        reader.setDaemon(true);
        reader.start();
    }

    private void read(String id, Process process) {
        Set<String> held = keys.computeIfAbsent(id, any -> new ConcurrentSkipListSet<>());
        try (BufferedReader output = process.inputReader()) {
            output.lines().forEach(line -> follow(id, held, line.split(" ")));
        } catch (UncheckedIOException | IOException e) {
            held.clear();
        }
    }

    /** The lines of one process are in order; a line of another one may be read late, so who begins is not compared. */
    private void follow(String id, Set<String> held, String... words) {
        if (words[0].equals("begin") ? !held.add(words[1]) : !held.remove(words[1])) {
            broken.add(id + ": " + String.join(" ", words));
        } else if (words[0].equals("end")) {
            ends.add(id + " " + words[1]);
        }
    }

    @AfterEach
    void endAll() {
        processes.values().forEach(Process::destroyForcibly);
    }
}
