// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.simulation;

import io.github.discoveryzk.testing.laws.LawBroken;
import io.github.discoveryzk.testing.memory.MemoryEnsemble;
import io.github.discoveryzk.testing.time.VirtualTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One random history of a cluster, determined by its seed: instances join, leave, crash, hang, are cut off and paused; then the
 * disturbances end. The laws are checked throughout. Some of the histories are short and concentrate on one change.
 */
final class Simulation {

    static final int MAX_INSTANCES = 5;

    private static final int ACTIONS = 20;
    private static final int TRANSCRIPT_LINES = 400;
    private static final int DEEPEST = 40;
    private static final long TICK_MILLIS = 100;

    private final Random random;
    private final boolean transcribing;
    final Swarm swarm;
    private final Deque<String> transcript = new ArrayDeque<>();
    final VirtualTime time = new VirtualTime();
    final MemoryEnsemble ensemble = new MemoryEnsemble(time, "cluster");
    final Checks checks = new Checks(this);
    final Optional<TraceRecorder> trace;
    private final List<SimulatedInstance> running = new ArrayList<>();
    final OtherClusters others;
    private final Actions actions;
    private final long seed;
    private int depth;

    private long allDisturbedUntil = Long.MIN_VALUE;

    private Simulation(long seed, boolean transcribing, boolean traced) {
        this.seed = seed;
        this.random = new Random(seed * 0x5DEECE66DL + 11);
        this.transcribing = transcribing;
        this.swarm = traced ? Swarm.draw(random).specified() : Swarm.draw(random);
        this.trace = traced ? Optional.of(new TraceRecorder(ensemble)) : Optional.empty();
        this.others = new OtherClusters(this, random);
        this.actions = new Actions(this, random);
        ensemble.onPublication(checks::checkPublication);
    }

    /**
     * Plays the history of a seed.
     *
     * @throws LawBroken with seed and transcript when a law does not hold
     */
    static void play(long seed) {
        try {
            playOnce(seed);
        } catch (LawBroken | IllegalStateException first) {
            Simulation again = new Simulation(seed, true, false);
            try {
                again.play();
            } catch (LawBroken | IllegalStateException second) {
                throw new AssertionError(
                        "seed " + seed + ": " + second.getMessage() + "\n" + String.join("\n", again.transcript),
                        second);
            }
            throw new AssertionError("seed " + seed + " does not replay", first);
        }
    }

    /** Plays the history of a seed without a transcript. */
    static void playOnce(long seed) {
        new Simulation(seed, false, false).play();
    }

    /** Plays the history of a seed with what the specification has, and returns its trace, also when a law breaks. */
    static TraceRecorder trace(long seed) {
        Simulation simulation = new Simulation(seed, false, true);
        try {
            simulation.play();
        } catch (LawBroken | IllegalStateException broken) {
            simulation.leaveRecord(broken::getMessage);
        }
        return simulation.trace.orElseThrow();
    }

    private void play() {
        leaveRecord(() -> swarm.toString());
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            start("abcdefgh".substring(running.size(), running.size() + 1), Optional.empty());
        }
        // With a source of its own, so that the other histories do not depend on it. Restored servers use versions
        // again.
        if (seed % 4 == 0 && !swarm.actions().contains(Action.RESTORE_SERVERS)) {
            checks.share(new Random(seed));
        }
        if (random.nextInt(5) < 2) {
            new OneChange(this, random, actions).begin();
        } else {
            act(ACTIONS);
        }
        while (!checks.liveness.isProven()) {
            step();
            checks.rethrow();
        }
    }

    private void act(int left) {
        if (left == 0) {
            calmDown();
            return;
        }
        actions.next();
        // Most actions come in quick succession, so that they meet a change that is being settled.
        time.after(random.nextInt(5) == 0 ? random.nextInt(4_000) : random.nextInt(150), () -> act(left - 1));
    }

    /** Ends all disturbances. */
    void calmDown() {
        leaveRecord(() -> "--- calming down");
        actions.end();
        checks.liveness.calm(actions.rejected, actions.operator.refusedMillis());
        tick();
    }

    /** Advances the time although nothing happens. */
    private void tick() {
        time.after(TICK_MILLIS, this::tick);
    }

    SimulatedInstance start(String id, Optional<String> predecessor) {
        SimulatedInstance instance = new SimulatedInstance(this, id, random, predecessor);
        leaveRecord(() -> instance + " starts");
        running.add(instance);
        instance.disturbUntil(allDisturbedUntil);
        instance.store.onArrival(checks::checkArrival);
        trace.ifPresent(recorder -> recorder.started(instance));
        instance.listen(false);
        if (random.nextBoolean()) {
            instance.listen(random.nextInt(5) == 0);
        }
        actions.property(instance);
        instance.start();
        return instance;
    }

    private void step() {
        checks.runCheck(time::step);
        trace.ifPresent(TraceRecorder::stepped);
        running.removeIf(instance -> !instance.isRunning());
        if (!checks.isBroken()) {
            checks.checkStep();
        }
    }

    /** Allows each instance to leave its view until then, including instances that start later. */
    void disturbAllUntil(long millis) {
        allDisturbedUntil = Math.max(allDisturbedUntil, millis);
        running().forEach(one -> one.disturbUntil(millis));
    }

    /** Continues the simulation within a call, unless too many calls are nested already. */
    void runWhile(BooleanSupplier condition) {
        if (depth < DEEPEST) {
            depth++;
            while (!checks.isBroken() && !checks.liveness.isProven() && condition.getAsBoolean()) {
                step();
            }
            depth--;
        }
    }

    void leaveRecord(Supplier<String> line) {
        if (transcribing) {
            transcript.add(time.now() + " " + line.get());
            if (transcript.size() > TRANSCRIPT_LINES) {
                transcript.poll();
            }
        }
    }

    /** Returns the instances whose processes live, in the order in which they were started. */
    List<SimulatedInstance> running() {
        return List.copyOf(running);
    }
}
