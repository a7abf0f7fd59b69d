// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.simulation;

import io.github.discoveryzk.base.DiscoveryInstance;
import io.github.discoveryzk.base.InstanceUnderTest;
import io.github.discoveryzk.base.environment.Execution;
import io.github.discoveryzk.base.environment.InstanceIdentity;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.base.protocol.Facts;
import io.github.discoveryzk.base.protocol.Facts.Suspect;
import io.github.discoveryzk.base.protocol.Protocol;
import io.github.discoveryzk.base.protocol.Settling;
import io.github.discoveryzk.base.protocol.Step;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.spi.SettlingPolicy.SuspendedPolicy;
import io.github.discoveryzk.testing.memory.MemoryStore;
import io.github.discoveryzk.testing.time.VirtualProcess;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;

/** One run of an instance on virtual time: the real engine, the real dispatch, a store in memory. */
final class SimulatedInstance {

    static final double SLOWEST = 0.94;

    private static final long QUICK_MILLIS = 5;

    final String id;
    final String runtimeId;
    private final Simulation simulation;
    private final Swarm swarm;
    private final Random random;
    final VirtualProcess process;
    final MemoryStore store;
    final DiscoveryInstance instance;
    private final Checks checks;
    private final List<SimulatedListener> listeners = new ArrayList<>();
    private final List<Runnable> late = new ArrayList<>();

    /** All listeners that were ever added, including removed ones. */
    final List<SimulatedListener> all = new ArrayList<>();

    /** What the source of hints of this instance says. */
    private final Set<Suspect> hints = new HashSet<>();

    /** How long this instance takes at most to refute a suspicion when nothing disturbs it. */
    final long reactionMillis;

    SettlingPolicy policy;

    /** The shortest time by which this instance may count a lease: of all sessions and policies that it has had. */
    int shortestLease = Integer.MAX_VALUE;

    private long slowness = QUICK_MILLIS;
    private long least;
    private boolean runs;
    boolean leaving;

    /** Whether another instance is to remove its member node, as soon as that is able to. */
    boolean evicted;

    private boolean closed;

    /** Until then this instance may leave its view although the cluster does not change. */
    long disturbedUntil = Long.MIN_VALUE;

    private long unreachableFrom = Long.MIN_VALUE;
    private long unreachableUntil = Long.MIN_VALUE;

    /** Until then this instance may leave its view because it or another one cannot read a member. */
    long blindUntil = Long.MIN_VALUE;

    private long slowUntil = Long.MIN_VALUE;
    private long hintedAt;

    SimulatedInstance(Simulation simulation, String id, Random random, Optional<String> predecessor) {
        this.id = id;
        this.simulation = simulation;
        this.swarm = simulation.swarm;
        this.random = random;
        changePolicy();
        this.checks = simulation.checks;
        this.process = new VirtualProcess(simulation.time, random.nextInt(1_000_000), clockRate(random));
        this.runtimeId = new UUID(random.nextLong(), random.nextLong()).toString();
        int timeout = sessionTimeout();
        int latency = 1 + random.nextInt(30);
        int lag = random.nextInt(4) == 0 ? random.nextInt(200) : 0;
        int reading = swarm.reading() ? random.nextInt(60) : 0;
        this.reactionMillis = 2L * latency + lag + 4L * reading + swarm.decidedMillis();
        this.store = new MemoryStore(simulation.ensemble, process, random, timeout, latency, lag);
        store.readAfterChanges(reading);
        store.onLoss(() -> checks.checkLoss(this));
        Execution execution = new Execution(
                new Time(process::clock, simulation.time::now), process.executor(this::lag), this::call, () -> {});
        InstanceIdentity identity = new InstanceIdentity(
                id, new ProcessInfo(runtimeId, "host", 1, "/home", simulation.time.now()), predecessor);
        this.instance = InstanceUnderTest.following(this::decide, identity, store, () -> policy, execution);
        SimulatedConnectors.USED.attach(instance, execution.time());
    }

    private long lag() {
        return swarm.lagging() ? random.nextInt(swarm.longestLag()) : 0;
    }

    /** Limits decisions: a decision that always leads to another one would never let virtual time advance. */
    private Step decide(Settling state, Facts facts, SettlingPolicy policy, long now) {
        checks.checkDecision(this);
        Step step = Protocol.SETTLING.step(state, facts, policy, now);
        simulation.trace.ifPresent(trace -> trace.decided(this, state, facts, step));
        return step;
    }

    /**
     * Returns a rate that is often as slow or as fast as the lease allows: no clock runs at more than 9/8 of the rate of
     * another.
     */
    private static double clockRate(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> SLOWEST;
            case 1 -> SLOWEST * 9 / 8;
            default -> SLOWEST * (1 + random.nextDouble() / 8);
        };
    }

    /** Runs a call of a listener or a property provider, perhaps late. */
    private void call(Runnable task) {
        Runnable once = new Runnable() {
            @Override
            public void run() {
                if (late.remove(this)) {
                    task.run();
                }
            }
        };
        late.add(once);
        process.after(runs ? random.nextInt((int) QUICK_MILLIS) : millis(), once);
    }

    /** Returns how long a call runs. */
    long callMillis() {
        return runs ? millis() : 0;
    }

    private long millis() {
        return least + random.nextInt((int) Math.max(1, slowness - least));
    }

    /** Plays the simulation until that time; longer if this process is paused meanwhile. */
    void letTimePass(LongSupplier until) {
        simulation.runWhile(() -> isRunning() && (process.isPaused() || simulation.time.now() < until.getAsLong()));
    }

    /** Adds and removes listeners from within a call. */
    void churn(SimulatedListener caller) {
        if (!swarm.churning() || caller.isRemoved()) {
            return;
        }
        switch (random.nextInt(12)) {
            case 0 -> unlisten(caller);
            case 1 -> listenAgain(caller);
            case 2 -> {
                listenAgain(caller);
                listenAgain(caller);
            }
            case 3 -> listen(false);
            case 4 -> unlisten(listeners.get(random.nextInt(listeners.size())));
            default -> {
                // Most calls leave the listeners alone.
            }
        }
    }

    /** Removes a listener and adds the same object again. */
    void listenAgain(SimulatedListener listener) {
        if (isRunning()) {
            instance.removeListener(listener);
            listener.addAgain();
            instance.addListener(listener);
        }
    }

    void start() {
        instance.start();
    }

    void listen(boolean throwing) {
        SimulatedListener listener = new SimulatedListener(this, checks, throwing);
        listeners.add(listener);
        all.add(listener);
        instance.addListener(listener);
    }

    void unlisten(SimulatedListener listener) {
        instance.removeListener(listener);
        listener.remove();
        listeners.remove(listener);
    }

    /** Sets the bounds of the duration of calls. */
    void slow(long leastMillis, long millis) {
        slowUntil(checks.now() + 2 * millis);
        least = leastMillis;
        slowness = millis;
        runs = swarm.running() && random.nextBoolean();
    }

    /** Makes listeners take no time from now on, runs pending calls, and lets running calls return. */
    void quicken() {
        slowness = QUICK_MILLIS;
        least = 0;
        List.copyOf(late).forEach(call -> process.after(0, call));
        all.forEach(SimulatedListener::release);
    }

    /** Gives this instance a hint, which need not be true unless it is a proof. */
    void hint(Suspect suspect) {
        hints.add(suspect);
        hintedAt = checks.now();
        InstanceUnderTest.suspect(instance, hints);
    }

    /** Ends a hint. */
    void retract(Suspect suspect) {
        if (isRunning() && hints.remove(suspect)) {
            hintedAt = checks.now();
            InstanceUnderTest.suspect(instance, hints);
        }
    }

    /** Ends all hints although nothing says that the suspects live: this instance no longer watches them. */
    void forget() {
        Set.copyOf(hints).forEach(this::retract);
    }

    /** Says whether it has had a hint since that time and nothing keeps it from judging; an instance with slow replies does not judge. */
    boolean judgesSince(long time) {
        return reactionMillis < 100
                && !hints.isEmpty()
                && !leaving
                && Math.max(hintedAt, blindUntil + 1) <= time
                && reachesStoreSince(time);
    }

    /** Lets the servers grant another timeout with the next connection. */
    void renegotiate() {
        store.renegotiate(sessionTimeout());
    }

    private int sessionTimeout() {
        int timeout = swarm.sessionTimeout(random);
        shortestLease = Math.min(shortestLease, timeout);
        return timeout;
    }

    void changePolicy() {
        policy = swarm.policy(random);
        shortestLease = Math.min(shortestLease, policy.leaseMillis());
    }

    boolean isStrict() {
        return policy.suspended() == SuspendedPolicy.STRICT;
    }

    void leave() {
        if (!leaving) {
            leaving = true;
            instance.leave().thenRun(() -> process.after(0, this::close));
        }
    }

    private void close() {
        closed = true;
        instance.close();
        listeners.forEach(SimulatedListener::remove);
    }

    void kill() {
        process.kill();
        store.fallSilent();
    }

    void pause() {
        process.pause();
        store.fallSilent();
    }

    void resume() {
        process.resume();
        process.after(0, store::speakAgain);
    }

    /** Allows this instance to leave its view until then although the cluster does not change. */
    void disturbUntil(long millis) {
        disturbedUntil = Math.max(disturbedUntil, millis);
    }

    /**
     * Records that this instance does not see changes of the store in that time. Before its first view it may not have seen any earlier
     * change either.
     */
    void unreachable(long from, long until) {
        if (Checks.number(instance.getTopology()) == 0) {
            unreachableFrom = Long.MIN_VALUE;
        } else if (from > unreachableUntil) {
            unreachableFrom = from;
        }
        unreachableUntil = Math.max(unreachableUntil, until);
    }

    /** Returns since when this instance may not have seen a change whose effects it shows after that time. */
    long unawareSince(long time) {
        return unreachableUntil >= time ? Math.min(unreachableFrom, time) : time;
    }

    /** Says whether this instance has lived, and has reached the store, since that time. */
    boolean reachesStoreSince(long time) {
        return isRunning() && !process.isPaused() && Math.max(disturbedUntil, unreachableUntil) < time;
    }

    /** Allows this instance not to acknowledge in time until then. */
    void slowUntil(long millis) {
        slowUntil = Math.max(slowUntil, millis);
    }

    /** Returns until when it may not acknowledge in time, or may give its place away. */
    long ailsUntil() {
        return Math.max(disturbedUntil, slowUntil);
    }

    boolean isRunning() {
        return !process.isDead() && !closed;
    }

    List<SimulatedListener> listeners() {
        return List.copyOf(listeners);
    }

    @Override
    public String toString() {
        return id + "/" + runtimeId.substring(0, 4);
    }
}
