// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.apache.sling.discovery.base.DiscoveryInstance;
import org.apache.sling.discovery.base.Execution;
import org.apache.sling.discovery.base.InstanceIdentity;
import org.apache.sling.discovery.base.Time;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.settle.Protocol;
import org.apache.sling.discovery.commons.testing.MemoryStore;
import org.apache.sling.discovery.commons.testing.VirtualProcess;

/** One run of an instance on virtual time: the real engine, the real dispatch, a store in memory. */
final class SimulatedInstance {

    private static final double SLOWEST = 0.94;

    private final String id;
    private final String runtimeId;
    private final Random random;
    private final VirtualProcess process;
    private final MemoryStore store;
    private final DiscoveryInstance instance;
    private final Laws laws;
    private final List<SimulatedListener> listeners = new ArrayList<>();
    private long slowness = 5;
    private boolean leaving;
    private boolean closed;
    private long disturbedUntil = Long.MIN_VALUE;

    SimulatedInstance(
            Simulation simulation, String id, Random random, Protocol protocol, Optional<String> predecessor) {
        this.id = id;
        this.random = random;
        this.laws = simulation.laws();
        this.process = new VirtualProcess(simulation.time(), random.nextInt(1_000_000), clockRate(random));
        this.runtimeId = new UUID(random.nextLong(), random.nextLong()).toString();
        this.store = new MemoryStore(
                simulation.ensemble(),
                process,
                random,
                Simulation.SESSION_TIMEOUT,
                1 + random.nextInt(30),
                random.nextInt(4) == 0 ? random.nextInt(200) : 0);
        Execution execution = new Execution(
                new Time(process::clock, simulation.time()::now),
                process.executor(() -> 0),
                process.executor(this::callDelay),
                () -> {});
        InstanceIdentity identity = new InstanceIdentity(
                id,
                new ProcessInfo(runtimeId, "host", 1, "/home", simulation.time().now()),
                predecessor);
        this.instance = new DiscoveryInstance(identity, store, () -> Simulation.POLICY, execution, bounded(protocol));
    }

    /** A decision that always leads to another one would go on for ever at one moment of virtual time. */
    private Protocol bounded(Protocol protocol) {
        return (state, facts, policy, now) -> {
            laws.decides(this);
            return protocol.step(state, facts, policy, now);
        };
    }

    /** Often as slow or as fast as the lease bears: no clock runs at more than 9/8 of the rate of another. */
    private static double clockRate(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> SLOWEST;
            case 1 -> SLOWEST * 9 / 8;
            default -> SLOWEST * (1 + random.nextDouble() / 8);
        };
    }

    /** How long a call of a listener takes, as seen from outside: it starts that late and returns at once. */
    private long callDelay() {
        return slowness <= 1 ? 0 : random.nextInt((int) slowness);
    }

    void start() {
        instance.start();
    }

    void listen(boolean throwing) {
        SimulatedListener listener = new SimulatedListener(this, laws, throwing);
        listeners.add(listener);
        instance.addListener(listener);
    }

    void unlisten(SimulatedListener listener) {
        instance.removeListener(listener);
        listener.remove();
        listeners.remove(listener);
    }

    void slow(long millis) {
        slowness = millis;
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
        store.speakAgain();
    }

    /** Until then this instance may have to leave its view although the cluster does not change. */
    void disturbUntil(long millis) {
        disturbedUntil = Math.max(disturbedUntil, millis);
    }

    long disturbedUntil() {
        return disturbedUntil;
    }

    boolean isRunning() {
        return !process.isDead() && !closed;
    }

    boolean isLeaving() {
        return leaving;
    }

    boolean isPaused() {
        return process.isPaused();
    }

    boolean isSlow() {
        return slowness > Simulation.SETTLE_TIMEOUT;
    }

    String id() {
        return id;
    }

    String runtimeId() {
        return runtimeId;
    }

    MemoryStore store() {
        return store;
    }

    DiscoveryInstance instance() {
        return instance;
    }

    List<SimulatedListener> listeners() {
        return List.copyOf(listeners);
    }

    @Override
    public String toString() {
        return id + "/" + runtimeId.substring(0, 4);
    }
}
