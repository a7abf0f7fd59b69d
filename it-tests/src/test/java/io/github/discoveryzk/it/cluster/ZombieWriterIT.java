// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.data.DataKind;
import io.github.discoveryzk.data.Fence;
import io.github.discoveryzk.data.SharedValue;
import io.github.discoveryzk.data.Versioned;
import io.github.discoveryzk.data.Written;
import io.github.discoveryzk.it.chaos.Pause;
import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.spi.SettlingPolicy;
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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A leader, or the owner of a key, is stopped in the middle of a series of fenced writes, replaced, and continued: none of its later
 * writes takes effect, although it asks no clock. {@code -Pcrash} does it to a leader a hundred times.
 */
class ZombieWriterIT {

    private static final int TIMES = Integer.getInteger("crash.times", 2);
    private static final int LEASE_MILLIS = 1_000;
    private static final int SESSION_MILLIS = 20_000;
    private static final Duration PAUSE = Duration.ofSeconds(30);
    private static final int SOME = 10;
    private static final int ALL = 100;
    private static final int MANY = 1_000;
    private static final String OWNER = "owner";
    private static final String DONE = "Done";

    private final List<String> results = new CopyOnWriteArrayList<>();

    private static PlainInstance instance(String id, String servers) {
        SettlingPolicy usual = SettlingPolicy.DEFAULT;
        SettlingPolicy policy = new SettlingPolicy(
                usual.settleTimeoutMillis(),
                usual.quietMillis(),
                usual.regroupMillis(),
                usual.stepInMillis(),
                usual.suspended(),
                SettlingPolicy.Quarantine.after(MANY),
                usual.minInstances(),
                LEASE_MILLIS);
        return new PlainInstance(id, ZooKeeperStoreConfig.of(servers).withSessionTimeout(SESSION_MILLIS), policy);
    }

    private static SharedValue<String> series(PlainInstance one) {
        return one.discovery().data().value("run", "series", DataKind.TEXT);
    }

    private static Optional<LeaderLease> lease(PlainInstance one) {
        return LeaderLease.of(one.discovery().getTopology()).filter(LeaderLease::isHeld);
    }

    /** Works on a key, and keeps the last ownership that it had. */
    private static Work work(PlainInstance one, AtomicReference<Ownership> last) {
        Work work = new Work(one.discovery().local(), one.discovery().data(), Time.SYSTEM, () -> MANY);
        Worker worker = new Worker() {
            @Override
            public void begin(Ownership ownership) {
                last.set(ownership);
            }

            @Override
            public void end(Ownership ownership) {
                // It goes on.
            }
        };
        work.add(worker, () -> "the writer", "run", List.of("series"));
        return work;
    }

    /** Is the member that writes: an id, the connect string, and as what it writes. It ends with its parent process. */
    public static void main(String[] arguments) throws IOException {
        PlainInstance one = instance(arguments[0], arguments[1]).join();
        if (arguments[2].equals(OWNER)) {
            AtomicReference<Ownership> last = new AtomicReference<>();
            work(one, last);
            awaitThat("it has the key", () -> last.get() != null);
            write(one, last::get);
        } else {
            AtomicReference<LeaderLease> last = new AtomicReference<>();
            write(one, () -> {
                lease(one).ifPresent(last::set);
                return last.get();
            });
        }
        System.in.transferTo(OutputStream.nullOutputStream());
        Runtime.getRuntime().halt(0);
    }

    /** Writes with the last fence that it had, whatever has become of it, over what stands there. */
    private static void write(PlainInstance one, Supplier<? extends Fence> last) {
        Fence fence = last.get();
        series(one)
                .read()
                .thenCompose(seen -> series(one).replace(seen, "zombie", fence))
                .thenAccept(written -> System.out.println(words(written) + " " + fence.token()))
                .whenCompleteAsync((done, thrown) -> write(one, last));
    }

    private static String words(Written<String> written) {
        if (written instanceof Written.Done<String> done) {
            return DONE + " " + done.now().orElseThrow().version();
        }
        return written instanceof Written.Refused<String> refused
                ? "Refused: " + refused.why()
                : written.getClass().getSimpleName();
    }

    /** Says whether a result is that of a write that took effect after another one. */
    private static boolean isDoneAfter(String result, long version) {
        return result.startsWith(DONE) && Long.parseLong(result.split(" ")[1]) > version;
    }

    @Test
    void noWriteOfAFormerLeaderTakesEffect(@TempDir Path folder) throws Exception {
        Process zombie = null;
        try (TestServer server = new TestServer(folder);
                PlainInstance heir = instance("heir", server.address())) {
            zombie = start(server.address(), folder, "leader");
            awaitResults(DONE, 0, SOME);
            heir.join();
            for (int round = 0; round < TIMES; round++) {
                playRound(heir, zombie, round % 2 == 1);
            }
        } finally {
            if (zombie != null) {
                zombie.destroyForcibly();
            }
        }
        sayResults();
    }

    private void sayResults() {
        Map<String, Integer> counts = new TreeMap<>();
        results.forEach(each -> counts.merge(each.replaceAll("[0-9]+|m-\\w+", "…"), 1, Integer::sum));
        counts.forEach((result, count) -> System.out.println(count + " x " + result));
    }

    /** It is evicted, so its session lives: the store refuses what it writes. */
    @Test
    void noWriteOfAFormerOwnerTakesEffect(@TempDir Path folder) throws Exception {
        playOwner(folder, heir -> assertThat(
                        heir.discovery().operator().evict("zombie").success())
                .isTrue());
    }

    /** It is paused for so long that its session ends. */
    @Test
    @Tag("thorough")
    void noWriteOfAnOwnerThatWasPausedForLongTakesEffect(@TempDir Path folder) throws Exception {
        playOwner(folder, heir -> Limit.pass(PAUSE));
    }

    private void playOwner(Path folder, Consumer<PlainInstance> whilePaused) throws Exception {
        Process zombie = null;
        try (TestServer server = new TestServer(folder);
                PlainInstance heir = instance("heir", server.address())) {
            zombie = start(server.address(), folder, OWNER);
            awaitResults(DONE, 0, SOME);
            AtomicReference<Ownership> inherited = new AtomicReference<>();
            work(heir.join(), inherited);
            awaitResults(DONE, results.size(), SOME);
            Pause pause = Pause.of(zombie.pid());
            int mark = results.size();
            Versioned<String> own;
            try {
                whilePaused.accept(heir);
                awaitThat("the heir has the key", () -> inherited.get() != null);
                Written<String> written =
                        join(series(heir).replace(join(series(heir).read()), "heir", inherited.get()));
                own = ((Written.Done<String>) written).now().orElseThrow();
            } finally {
                pause.close();
            }
            awaitResults("Refused", mark, ALL);
            assertThat(results.stream().skip(mark)).noneMatch(each -> isDoneAfter(each, own.version()));
            assertThat(join(series(heir).read())).hasValue(own);
        } finally {
            if (zombie != null) {
                zombie.destroyForcibly();
            }
        }
        sayResults();
    }

    /** Without a write of the heir only the fence refuses a write that is on its way. */
    private void playRound(PlainInstance heir, Process zombie, boolean writes) throws IOException {
        awaitResults(DONE, results.size(), SOME);
        AtomicReference<Versioned<String>> own = new AtomicReference<>();
        int mark = results.size();
        Pause pause = Pause.of(zombie.pid());
        try {
            assertThat(heir.discovery().operator().evict("zombie").success()).isTrue();
            awaitThat("the heir leads", () -> lease(heir).isPresent());
            Optional<Versioned<String>> last = join(series(heir).read());
            if (writes) {
                Written<String> written =
                        join(series(heir).replace(last, "heir", lease(heir).orElseThrow()));
                last = ((Written.Done<String>) written).now();
            }
            own.set(last.orElseThrow());
        } finally {
            pause.close();
        }
        long version = own.get().version();
        awaitResults("Refused", mark, SOME);
        assertThat(results.stream().skip(mark)).noneMatch(each -> isDoneAfter(each, version));
        assertThat(join(series(heir).read()).map(Versioned::version)).hasValue(version);
        awaitThat("both are members", () -> heir.order().size() == 2);
        assertThat(heir.discovery().operator().stepDown().success()).isTrue();
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    /** Waits for some results of that kind after a mark. */
    private void awaitResults(String kind, int mark, int count) {
        awaitThat(
                "some writes are " + kind,
                () -> results.stream()
                                .skip(mark)
                                .filter(each -> each.startsWith(kind))
                                .count()
                        >= count);
    }

    private Process start(String servers, Path folder, String role) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        ZombieWriterIT.class.getName(),
                        "zombie",
                        servers,
                        role)
                .redirectError(folder.resolve("zombie.log").toFile())
                .start();
        Thread reader = new Thread(() -> read(process), "results of the writer");
        reader.setDaemon(true);
        reader.start();
        return process;
    }

    private void read(Process process) {
        try (BufferedReader output = process.inputReader()) {
            output.lines().forEach(results::add);
        } catch (UncheckedIOException | IOException e) {
            results.add("The output has ended.");
        }
    }
}
