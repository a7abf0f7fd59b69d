// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.settle.Protocol;
import org.apache.sling.discovery.commons.settle.SettlingPolicy;
import org.apache.sling.discovery.commons.settle.SettlingPolicy.Quarantine;
import org.apache.sling.discovery.commons.settle.SettlingPolicy.SuspendedPolicy;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.testing.MemoryEnsemble;
import org.apache.sling.discovery.commons.testing.VirtualTime;

/**
 * One random history of a cluster, determined by its seed: instances come, go, crash, hang, are cut off and stopped; then all
 * calms down. The laws are checked all along.
 */
final class Simulation {

    static final int SESSION_TIMEOUT = 3_000;
    static final int SETTLE_TIMEOUT = 4_000;
    static final SettlingPolicy POLICY =
            new SettlingPolicy(SETTLE_TIMEOUT, 0, 200, SuspendedPolicy.LEASE, new Quarantine(2, 20_000, 300, 2_000));

    private static final int ACTIONS = 24;
    private static final int MOST_INSTANCES = 5;
    private static final int TRANSCRIPT_LINES = 400;
    private static final long ON_THE_WAY_MILLIS = 500;
    private static final long EVICTION_MILLIS = 30_000;

    private final Random random;
    private final Protocol protocol;
    private final boolean transcribing;
    private final Deque<String> transcript = new ArrayDeque<>();
    private final VirtualTime time = new VirtualTime();
    private final MemoryEnsemble ensemble = new MemoryEnsemble(time);
    private final Laws laws = new Laws(this);
    private final List<SimulatedInstance> instances = new ArrayList<>();
    private int values;
    private long propertyOfferedAt;

    private Simulation(long seed, Protocol protocol, boolean transcribing) {
        this.random = new Random(seed * 0x5DEECE66DL + 11);
        this.protocol = protocol;
        this.transcribing = transcribing;
        ensemble.onPublication(laws::published);
    }

    /**
     * Plays the history of a seed.
     *
     * @throws LawBroken with seed and transcript when a law does not hold
     */
    static void play(long seed, Protocol protocol) {
        try {
            playOnce(seed, protocol);
        } catch (LawBroken | IllegalStateException first) {
            Simulation again = new Simulation(seed, protocol, true);
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
    static void playOnce(long seed, Protocol protocol) {
        new Simulation(seed, protocol, false).play();
    }

    private void play() {
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            start("abcdefgh".substring(instances.size(), instances.size() + 1));
        }
        for (int i = 0; i < ACTIONS; i++) {
            act();
            // Most actions come in quick succession, so that they meet a change that is being settled.
            run(random.nextInt(5) == 0 ? random.nextInt(4_000) : random.nextInt(150));
        }
        calmDown();
        run(3L * (SESSION_TIMEOUT + SETTLE_TIMEOUT) + 3_000);
        laws.calm(running());
    }

    private void act() {
        List<SimulatedInstance> running = running();
        if (running.isEmpty() || random.nextInt(6) == 0 && running.size() < MOST_INSTANCES) {
            start(String.valueOf((char) ('a' + random.nextInt(MOST_INSTANCES))));
            return;
        }
        SimulatedInstance one = running.get(random.nextInt(running.size()));
        switch (random.nextInt(26)) {
            case 0 -> kill(one);
            case 1 -> leave(one);
            case 2, 3 -> cut(one, random.nextInt(2 * SESSION_TIMEOUT));
            case 4 -> pause(one, random.nextInt(3 * SESSION_TIMEOUT));
            case 5 -> property(one);
            case 6 -> one.listen(random.nextInt(5) == 0);
            case 7 -> one.listeners().stream().findFirst().ifPresent(one::unlisten);
            case 8 -> slow(one, random.nextInt(1_000));
            case 9 -> slow(one, random.nextInt(4 * SETTLE_TIMEOUT));
            case 10 -> expire(one);
            case 11 -> stumble(one);
            case 12 -> giveUpSession(one);
            case 13 -> deleteAcknowledgements();
            case 14, 15 -> flicker();
            case 16 -> cutAll(random.nextInt(SESSION_TIMEOUT));
            case 17 -> restart(one);
            case 18, 19 -> endEarly(one);
            case 20, 21 -> strand(one, random.nextInt(2 * SESSION_TIMEOUT));
            case 22 -> standDown(one);
            case 23 -> evict(one, running.get(random.nextInt(running.size())));
            case 24 -> restoreView();
            default -> quickRestart(one);
        }
    }

    private void start(String id) {
        start(id, Optional.empty());
    }

    private void start(String id, Optional<String> predecessor) {
        SimulatedInstance instance = new SimulatedInstance(this, id, random, protocol, predecessor);
        note(() -> instance + " starts");
        instances.add(instance);
        instance.listen(false);
        if (random.nextBoolean()) {
            instance.listen(random.nextInt(5) == 0);
        }
        property(instance);
        instance.start();
        if (random.nextInt(10) == 0) {
            // Half-started: it announces itself and then does nothing.
            time.after(random.nextInt(300), () -> pause(instance, random.nextInt(2 * SETTLE_TIMEOUT)));
        }
    }

    /** Comes and goes before a view can be settled, so that the members are again what they were. */
    private void flicker() {
        start("f");
        SimulatedInstance last = instances.get(instances.size() - 1);
        time.after(random.nextInt(200), () -> leave(last));
    }

    private void kill(SimulatedInstance one) {
        note(() -> one + " is killed");
        one.kill();
    }

    private void restart(SimulatedInstance one) {
        kill(one);
        start(one.id());
    }

    /** Starts again at once, knowing that the process before has ended. */
    private void quickRestart(SimulatedInstance one) {
        kill(one);
        start(one.id(), Optional.of(one.runtimeId()));
    }

    /** The servers end the session while the instance cannot hear of it. */
    private void endEarly(SimulatedInstance one) {
        cut(one, random.nextInt(2 * SESSION_TIMEOUT));
        long session = one.store().session();
        note(() -> "the session of " + one + " is ended");
        one.disturbUntil(time.now());
        ensemble.endEarly(session);
    }

    private void strand(SimulatedInstance one, long millis) {
        note(() -> "the server of " + one + " is cut off for " + millis);
        one.disturbUntil(time.now() + millis);
        one.store().strand();
        time.after(millis, () -> {
            note(() -> "the server of " + one + " is back");
            one.store().restore();
        });
    }

    private void standDown(SimulatedInstance one) {
        note(() -> one + " stands down");
        one.disturbUntil(time.now() + ON_THE_WAY_MILLIS);
        one.instance().standDown();
    }

    private void evict(SimulatedInstance by, SimulatedInstance one) {
        if (one != by) {
            note(() -> by + " evicts " + one);
            // Asked for now, done when the evictor can.
            one.disturbUntil(time.now() + EVICTION_MILLIS);
            by.instance().evict(one.id());
        }
    }

    /** Somebody writes an old view over the present one. */
    private void restoreView() {
        List<HistoryEntry> history = ensemble.history();
        if (history.size() > 1) {
            EstablishedView older =
                    history.get(random.nextInt(history.size() - 1)).view();
            note(() -> "the view is overwritten with view " + older.number());
            laws.restored(older);
            ensemble.restore(older, false);
        }
    }

    private void leave(SimulatedInstance one) {
        note(() -> one + " leaves");
        one.leave();
    }

    private void cut(SimulatedInstance one, long millis) {
        note(() -> one + " is cut off for " + millis);
        if (millis > SESSION_TIMEOUT / 4) {
            one.disturbUntil(time.now() + millis);
        }
        one.store().cut(random.nextInt(2) == 0 ? 0 : random.nextInt(Math.max(1, (int) millis)));
        time.after(millis, () -> {
            note(() -> one + " can reach the store");
            one.store().restore();
        });
    }

    private void cutAll(long millis) {
        running().forEach(each -> cut(each, millis));
    }

    private void pause(SimulatedInstance one, long millis) {
        if (one.isRunning() && !one.isPaused()) {
            note(() -> one + " is stopped for " + millis);
            one.disturbUntil(time.now() + millis);
            one.pause();
            time.after(millis, () -> resume(one));
        }
    }

    private void resume(SimulatedInstance one) {
        if (one.isRunning() && one.isPaused()) {
            note(() -> one + " is continued");
            one.resume();
        }
    }

    private void property(SimulatedInstance one) {
        propertyOfferedAt = time.now();
        String value = String.valueOf(random.nextInt(3));
        note(() -> one + " offers " + value);
        one.instance().addPropertyProvider(name -> value, "provider" + values++, values, values, "p");
    }

    private void slow(SimulatedInstance one, long millis) {
        note(() -> one + " has listeners that take up to " + millis);
        one.slow(millis);
        time.after(millis, () -> one.slow(5));
    }

    /** Long enough for the session to end, at whatever time the instance notices. */
    private void expire(SimulatedInstance one) {
        cut(one, SESSION_TIMEOUT + random.nextInt(SESSION_TIMEOUT));
    }

    private void deleteAcknowledgements() {
        note(() -> "somebody deletes the acknowledgements");
        ensemble.deleteAcknowledgements();
    }

    private void giveUpSession(SimulatedInstance one) {
        note(() -> one + " gives up its session");
        one.disturbUntil(time.now());
        one.store().giveUpSession();
    }

    /** Something happens to the instance just when one of its requests has been carried out. */
    private void stumble(SimulatedInstance one) {
        boolean deadly = random.nextBoolean();
        boolean[] armed = {true};
        note(() -> one + " will " + (deadly ? "die" : "be cut off") + " after its next write");
        one.store().onArrival((Request request, Outcome outcome) -> {
            if (armed[0] && !(request instanceof Request.Confirm)) {
                armed[0] = false;
                if (deadly) {
                    kill(one);
                } else {
                    cut(one, random.nextInt(SESSION_TIMEOUT));
                }
            }
        });
    }

    private void calmDown() {
        note(() -> "--- calming down");
        running().forEach(one -> {
            one.slow(5);
            resume(one);
            one.disturbUntil(time.now());
            one.store().restore();
        });
    }

    private void run(long millis) {
        long end = time.now() + millis;
        time.after(millis, () -> {});
        while (time.now() < end) {
            time.step();
            laws.hold();
            laws.oneCurrentLeader(instances);
        }
    }

    /** L12: the store holds what lives and a bounded history. */
    void boundedStore() {
        int bound = 2 * ensemble.members().size() + 20;
        if (ensemble.size() > bound) {
            throw new LawBroken("L12 Bounded store", ensemble.size() + " nodes, at most " + bound + " are needed");
        }
    }

    long propertyOfferedAt() {
        return propertyOfferedAt;
    }

    void note(Supplier<String> line) {
        if (transcribing) {
            transcript.add(time.now() + " " + line.get());
            if (transcript.size() > TRANSCRIPT_LINES) {
                transcript.poll();
            }
        }
    }

    private List<SimulatedInstance> running() {
        return instances.stream().filter(SimulatedInstance::isRunning).toList();
    }

    Laws laws() {
        return laws;
    }

    VirtualTime time() {
        return time;
    }

    MemoryEnsemble ensemble() {
        return ensemble;
    }

    List<SimulatedInstance> instances() {
        return instances;
    }
}
