// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.simulation;

import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A short history around one change: an instance joins a settled cluster, or a disturbance lasts for about the settle timeout,
 * and at its end the leader is cut off or paused.
 */
final class OneChange {

    private static final int ENOUGH_MILLIS = 12_000;
    private static final int WATCHED_MILLIS = 400;

    private final Simulation simulation;
    private final Random random;
    private final Actions actions;

    OneChange(Simulation simulation, Random random, Actions actions) {
        this.simulation = simulation;
        this.random = random;
        this.actions = actions;
    }

    void begin() {
        if (simulation.running().size() < 2) {
            actions.start("d");
        }
        simulation.time.after(3_000 + random.nextInt(1_000), this::change);
    }

    private void change() {
        long millis = random.nextInt(3 * Swarm.SETTLE_TIMEOUT / 2);
        if (random.nextInt(3) > 0) {
            // An instance whose listeners take about that long does not acknowledge.
            actions.slow(random.nextBoolean() ? leader() : any(), millis, millis + 1 + random.nextInt(1_000));
        }
        switch (random.nextInt(7)) {
            case 0, 1, 2 -> comeAndGo(millis);
            case 3 -> actions.blind(any(), any(), millis);
            case 4 -> actions.perform(simulation.swarm.next(random), any());
            case 5 -> comeUnseen(millis + Swarm.MAX_SETTLE_TIMEOUT);
            default -> actions.start("e");
        }
        if (random.nextBoolean()) {
            simulation.time.after(millis + random.nextInt(300), this::disturb);
        } else {
            simulation.time.after(millis, () -> onceCurrent(WATCHED_MILLIS));
        }
    }

    /** Disturbs at the very moment at which the leader acts on a view again, which the others may have acknowledged. */
    private void onceCurrent(int left) {
        boolean current = actions.leader()
                .filter(leader -> leader.instance.getTopology().isCurrent())
                .isPresent();
        if (left == 0 || current && left < WATCHED_MILLIS) {
            disturb();
        } else {
            simulation.time.after(1, () -> onceCurrent(left - 1));
        }
    }

    /** One of the members cannot read the newcomer. */
    private void comeUnseen(long millis) {
        SimulatedInstance one = any();
        actions.blind(one, simulation.start("f", Optional.empty()), millis);
    }

    private void comeAndGo(long millis) {
        SimulatedInstance newcomer = simulation.start("f", Optional.empty());
        boolean clean = random.nextBoolean();
        simulation.time.after(millis, () -> {
            if (clean) {
                actions.leave(newcomer);
            } else {
                actions.endSession(newcomer);
                actions.kill(newcomer);
            }
        });
    }

    private void disturb() {
        long millis = random.nextInt(2 * Swarm.SESSION_TIMEOUT);
        SimulatedInstance one = random.nextInt(4) > 0 ? leader() : any();
        switch (random.nextInt(9)) {
            case 0, 1, 2 -> actions.cut(one, millis);
            case 3 -> actions.pause(one, millis);
            case 4 -> actions.strand(one, millis);
            case 5 -> actions.evict(any(), one);
            case 7 -> actions.crash(one);
            case 6 -> {
                actions.cut(one, millis);
                actions.endSession(one);
            }
            default -> actions.perform(simulation.swarm.next(random), one);
        }
        if (random.nextInt(3) == 0) {
            simulation.time.after(random.nextInt(500), () -> actions.start("g"));
        }
        simulation.time.after(random.nextInt(ENOUGH_MILLIS), simulation::calmDown);
    }

    private SimulatedInstance leader() {
        return actions.leader().orElseGet(this::any);
    }

    private SimulatedInstance any() {
        List<SimulatedInstance> running = simulation.running();
        return running.isEmpty()
                ? simulation.start("h", Optional.empty())
                : running.get(random.nextInt(running.size()));
    }
}
