// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.place;

import io.github.discoveryzk.base.DiscoveryInstance;
import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.base.environment.InstanceIdentity;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.data.DataKind;
import io.github.discoveryzk.data.SharedMap;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.spi.SettlingPolicy.SuspendedPolicy;
import io.github.discoveryzk.testing.memory.MemoryEnsemble;
import io.github.discoveryzk.testing.memory.MemoryStore;
import io.github.discoveryzk.testing.time.VirtualProcess;
import io.github.discoveryzk.testing.time.VirtualTime;
import io.github.discoveryzk.work.Ownership;
import io.github.discoveryzk.work.Worker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** A real instance on virtual time with one worker for each set, whose calls can be made to take long, to hang and to fail. */
final class WorkingInstance {

    /** The name of the map to which owners write how far they are. */
    static final String PROGRESS = "progress of owners";

    static final long BALANCE_DELAY = 30_000;
    static final int SESSION_TIMEOUT = 3_000;

    private static final long LONG = 3_600_000;
    private static final long LEAVES_AFTER = 5_000;

    private static final SettlingPolicy POLICY = new SettlingPolicy(4_000, 0, 200, SuspendedPolicy.LEASE);

    final String id;
    final DiscoveryInstance instance;
    final MemoryStore store;
    Work work;

    /** What runs, as the worker knows it. */
    final Map<String, Ownership> running = new TreeMap<>();

    /** The last ownership of each key that it has had. */
    private final Map<String, Ownership> had = new TreeMap<>();

    /** What the worker was called for, in this order. */
    final List<String> calls = new ArrayList<>();

    final Set<String> failing = new HashSet<>();

    /** How long the end of a key takes. */
    final Map<String, Long> slow = new HashMap<>();

    /** The keys whose end does not return as long as they are in here, and since when each has not returned. */
    final Set<String> hanging = new HashSet<>();

    final Map<String, Long> endingSince = new TreeMap<>();

    private final VirtualTime time;
    private final VirtualProcess process;
    private final Witness witness;
    private final long balanceDelay;
    private final Map<String, Worker> workers = new HashMap<>();
    private long excusedUntil = Long.MIN_VALUE;

    WorkingInstance(String id, long number, VirtualTime time, MemoryEnsemble ensemble, Witness witness) {
        this(id, number, time, ensemble, witness, 10, 0, BALANCE_DELAY);
    }

    /**
     * Starts an instance.
     *
     * @param number another one for each process
     * @param latency of its connection, at most
     * @param lag of its server
     */
    WorkingInstance(
            String id,
            long number,
            VirtualTime time,
            MemoryEnsemble ensemble,
            Witness witness,
            int latency,
            int lag,
            long balanceDelay) {
        this.id = id;
        this.time = time;
        this.witness = witness;
        this.balanceDelay = balanceDelay;
        this.process = new VirtualProcess(time, 0, 1);
        this.store = new MemoryStore(ensemble, process, new Random(number), SESSION_TIMEOUT, latency, lag);
        Execution execution = new Execution(
                new Time(process::clock, time::now),
                process.executor(() -> 0),
                task -> process.after(0, task),
                () -> {});
        this.instance = new DiscoveryInstance(
                new InstanceIdentity(
                        id, new ProcessInfo("run-" + number, "host-" + id, number, "/home/" + id, time.now())),
                store,
                () -> POLICY,
                execution);
        this.work = newWork();
        instance.start();
    }

    private Work newWork() {
        return new Work(instance.local(), instance.data(), new Time(process::clock, time::now), () -> balanceDelay);
    }

    /** Replaces the participation, as a bundle does that is updated. */
    void restartWork() {
        work.close();
        workers.clear();
        // What showed them has stopped.
        endingSince.clear();
        work = newWork();
    }

    void offer(String set, String... keys) {
        work.add(worker(set), () -> "the worker of " + id, set, List.of(keys));
    }

    CompletableFuture<Void> withdraw(String set) {
        return work.remove(worker(set));
    }

    private Worker worker(String set) {
        return workers.computeIfAbsent(set, any -> new Worker() {
            @Override
            public void begin(Ownership ownership) {
                WorkingInstance.this.begin(ownership);
            }

            @Override
            public void end(Ownership ownership) {
                if (workers.containsValue(this)) {
                    endingSince.put(name(ownership), time.now());
                }
                WorkingInstance.this.end(ownership);
            }
        });
    }

    private static String name(Ownership ownership) {
        return ownership.set() + "/" + ownership.key();
    }

    private void begin(Ownership ownership) {
        calls.add("begin " + name(ownership));
        if (failing.contains(name(ownership))) {
            throw new IllegalStateException("as planned");
        }
        witness.begun(this, name(ownership), ownership);
        running.put(name(ownership), ownership);
        had.put(name(ownership), ownership);
    }

    private void end(Ownership ownership) {
        String name = name(ownership);
        calls.add("end " + name);
        // Others go on meanwhile.
        time.run(slow.getOrDefault(name, 0L));
        time.runUntil(() -> process.isDead() || !process.isPaused() && !hanging.contains(name), LONG);
        endingSince.remove(name);
        running.remove(name, ownership);
        witness.ended(name, ownership);
    }

    /** Stores how far it is with each key that it has had. */
    void write() {
        SharedMap<Long> progress = instance.data().map("app", PROGRESS, DataKind.NUMBER);
        had.forEach((name, ownership) ->
                progress.replace(name, Optional.ofNullable(progress.entries().get(name)), time.now(), ownership));
    }

    /** Returns its member node, as it knows it. */
    String node() {
        return instance.local().stay().orElseThrow().node();
    }

    /** What it runs now or begins within a time may be held although its member node goes: it does not know that. */
    void excuse(long millis) {
        excusedUntil = Math.max(excusedUntil, time.now() + millis);
        witness.excuse(this);
    }

    boolean isExcused() {
        return time.now() < excusedUntil;
    }

    /** Cuts its server off from the others, which is not known to this instance. */
    void strand() {
        excuse(LONG);
        store.strand();
    }

    /** Ends that, and a cut. */
    void restore() {
        excusedUntil = Math.min(excusedUntil, time.now() + SESSION_TIMEOUT);
        store.restore();
    }

    void pause() {
        process.pause();
        store.fallSilent();
    }

    void resume() {
        process.resume();
        store.speakAgain();
    }

    void kill() {
        process.kill();
        store.fallSilent();
        excuse(LONG);
        running.clear();
    }

    /** Stops it as a container does: its work first, for a limited time. */
    void stop() {
        CompletableFuture<Void> closed = work.close();
        process.after(LEAVES_AFTER, () -> closed.complete(null));
        closed.thenCompose(any -> instance.leave()).thenRun(() -> process.after(0, instance::close));
    }

    boolean isSettled() {
        return instance.getTopology().isCurrent();
    }
}
