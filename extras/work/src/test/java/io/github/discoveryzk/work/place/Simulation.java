// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.place;

import io.github.discoveryzk.report.Metric;
import io.github.discoveryzk.testing.laws.LawBroken;
import io.github.discoveryzk.testing.laws.Laws;
import io.github.discoveryzk.testing.memory.MemoryEnsemble;
import io.github.discoveryzk.testing.time.VirtualTime;
import io.github.discoveryzk.work.Ownership;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * One random history of members that work, determined by its seed: they are killed, stopped, started, paused, cut off and evicted, workers and
 * keys come and go, ends take long or hang, begins fail. Then the disturbances end, a member leaves, and another one joins. Instances that are
 * paused or cut off include leaders, so stale ones write, too.
 */
final class Simulation {

    private static final int ACTIONS = 25;
    private static final int MAX_INSTANCES = 6;
    private static final long BALANCE_DELAY = 10_000;

    /** A key that could not begin rests up to five minutes where it could not. */
    private static final long BOUND = 400_000;

    private final Random random;
    private final VirtualTime time = new VirtualTime();
    private final MemoryEnsemble ensemble = new MemoryEnsemble(time, "cluster");
    private final Witness witness = new Witness(ensemble);
    private final Laws laws = Laws.throwing();
    private final SortedMap<String, String[]> sets = new TreeMap<>();
    private final List<WorkingInstance> alive = new ArrayList<>();
    private final int keys;
    private int started;
    private boolean calm;

    private Simulation(long seed) {
        random = new Random(seed * 0x5DEECE66DL + 11);
        keys = 10 + random.nextInt(21);
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            sets.put(
                    "set" + i,
                    IntStream.range(keys * i / count, keys * (i + 1) / count)
                            .mapToObj(k -> "k" + k)
                            .toArray(String[]::new));
        }
    }

    /**
     * Plays the history of a seed.
     *
     * @return how many writes with an ownership had an effect
     * @throws LawBroken when a law does not hold
     */
    static int play(long seed) {
        Simulation simulation = new Simulation(seed);
        simulation.play();
        return simulation.witness.fenced;
    }

    private void play() {
        IntStream.rangeClosed(0, random.nextInt(3)).forEach(i -> start());
        act(ACTIONS);
        until(() -> calm, Long.MAX_VALUE / 2, Laws.LIVE_WORK);
        // Sessions of the paused and the cut off may end only now.
        run(3 * WorkingInstance.SESSION_TIMEOUT);
        until(this::isBalanced, 2 * BOUND, Laws.BALANCE);
        int before = witness.begun;
        run(2 * BALANCE_DELAY);
        laws.check(witness.begun == before, Laws.LEAST_MOVEMENT, () -> "keys move in quiet times");
        leave();
        join();
    }

    /** Only the keys of the one that leaves move. */
    private void leave() {
        if (alive.size() == 1) {
            start();
            until(this::isBalanced, BOUND, Laws.BALANCE);
        }
        WorkingInstance leaver = alive.remove(random.nextInt(alive.size()));
        Map<String, Ownership> before = ownerships();
        if (random.nextBoolean()) {
            leaver.kill();
        } else {
            leaver.stop();
        }
        until(this::isBalanced, BOUND, Laws.LIVE_WORK);
        run(2 * BALANCE_DELAY);
        laws.check(
                ownerships().entrySet().containsAll(before.entrySet()),
                Laws.LEAST_MOVEMENT,
                () -> leaver.id + " has left, and others had " + before + " and have " + ownerships());
    }

    /** As few keys as possible move to the one that joins. */
    private void join() {
        Map<String, Ownership> before = ownerships();
        start();
        until(this::isBalanced, BOUND, Laws.BALANCE);
        Map<String, Ownership> moved = ownerships();
        moved.entrySet().removeAll(before.entrySet());
        laws.check(
                moved.size() <= (keys + alive.size() - 1) / alive.size(),
                Laws.LEAST_MOVEMENT,
                () -> moved + " have moved because an instance has joined");
    }

    private Map<String, Ownership> ownerships() {
        Map<String, Ownership> all = new HashMap<>();
        alive.forEach(each -> all.putAll(each.running));
        return all;
    }

    private void run(long millis) {
        long end = time.now() + millis;
        until(() -> time.now() >= end, millis + 1_000, Laws.LIVE_WORK);
    }

    private void until(BooleanSupplier condition, long millis, String law) {
        boolean holds = time.runUntil(() -> !witness.broken.isEmpty() || condition.getAsBoolean(), millis);
        witness.broken.forEach(broken -> {
            throw broken;
        });
        laws.check(
                holds,
                law,
                () -> alive.stream()
                                .map(each -> each.id + " has " + each.running.keySet())
                                .toList() + " after " + millis + " ms");
    }

    private void start() {
        start("i" + started);
    }

    private void start(String id) {
        int lag = random.nextInt(4) == 0 ? random.nextInt(200) : 0;
        WorkingInstance one = new WorkingInstance(
                id, random.nextLong(), time, ensemble, witness, 1 + random.nextInt(30), lag, BALANCE_DELAY);
        started++;
        alive.add(one);
        sets.forEach(one::offer);
    }

    /** Disturbs, a while later again, and so on; the calls that take long go on meanwhile. */
    private void act(int left) {
        if (left == 0) {
            calmDown();
            return;
        }
        disturb();
        long pause =
                switch (random.nextInt(8)) {
                    case 0 -> 20_000;
                    case 1, 2, 3 -> 6_000;
                    default -> 500;
                };
        time.after(random.nextInt((int) pause), () -> act(left - 1));
    }

    private void disturb() {
        if (alive.isEmpty()) {
            start();
            return;
        }
        WorkingInstance one = alive.get(random.nextInt(alive.size()));
        String set = List.copyOf(sets.keySet()).get(random.nextInt(sets.size()));
        String[] all = sets.get(set);
        String key = set + "/" + all[random.nextInt(all.length)];
        switch (random.nextInt(20)) {
            case 0 -> end(one, one::kill);
            case 1 -> end(one, one::stop);
            case 2, 3 -> {
                if (alive.size() < MAX_INSTANCES) {
                    start();
                }
            }
            case 4 -> end(one, () -> {
                one.kill();
                start(one.id);
            });
            case 5 -> one.store.cut(random.nextInt(1_000));
            case 6 -> {
                // Replies are lost, and writes may have had an effect.
                one.write();
                one.store.cut(0);
                time.after(random.nextInt(300), one::restore);
            }
            case 7 -> one.strand();
            case 8 -> one.store.stall(random.nextInt(1_500), random.nextInt(1_500));
            case 9 -> one.pause();
            case 10, 11, 12 -> alive.forEach(each -> {
                each.resume();
                each.restore();
                each.write();
            });
            case 13 -> one.offer(
                    set,
                    IntStream.range(0, all.length)
                            .filter(i -> random.nextBoolean())
                            .mapToObj(i -> all[i])
                            .toArray(String[]::new));
            case 14 -> {
                if (random.nextBoolean()) {
                    one.withdraw(set);
                } else {
                    one.offer(set, all);
                }
            }
            case 15 -> one.slow.put(key, (long) random.nextInt(15_000));
            case 16 -> {
                one.hanging.addAll(one.running.keySet().stream()
                        .filter(each -> random.nextInt(3) == 0)
                        .toList());
                time.after(random.nextInt(30_000), one.hanging::clear);
            }
            case 17 -> {
                if (!one.failing.removeIf(any -> true)) {
                    one.failing.add(key);
                }
            }
            case 18 -> {
                one.restartWork();
                sets.forEach(one::offer);
            }
            default -> {
                alive.forEach(each -> each.excuse(WorkingInstance.SESSION_TIMEOUT));
                if (random.nextBoolean()) {
                    one.instance.operator().stepDown();
                } else if (random.nextInt(5) > 0) {
                    one.instance.operator().evict(alive.get(random.nextInt(alive.size())).id);
                } else {
                    ensemble.deleteEverything();
                }
            }
        }
    }

    private void end(WorkingInstance one, Runnable how) {
        alive.remove(one);
        how.run();
    }

    /** Ends all disturbances. */
    private void calmDown() {
        if (alive.isEmpty()) {
            start();
        }
        alive.forEach(each -> {
            long hanging = each.endingSince.values().stream()
                    .filter(since -> time.now() - since >= Agent.NAMED_AFTER_MILLIS)
                    .count();
            witness.laws.check(
                    hanging == 0
                            || each.work.section().findings().toString().contains("wait for end of")
                                    && Metric.flat(each.work.section().metrics())
                                                    .get("work_hanging_calls")
                                            >= hanging,
                    Laws.LIVE_WORK,
                    () -> hanging + " ends hang at " + each.id + ", which is not shown");
            each.hanging.clear();
            each.slow.clear();
            each.failing.clear();
            each.resume();
            each.restore();
            sets.forEach(each::offer);
        });
        calm = true;
    }

    /** Nothing is on its way, nothing rests that could not begin, and no key can be moved so that two loads come closer. */
    private boolean isBalanced() {
        int least = keys / alive.size();
        return ownerships().size() == keys
                && alive.stream()
                        .allMatch(each -> each.running.size() >= least
                                && each.running.size() <= least + 1
                                && each.isSettled()
                                && each.work.section().findings().isEmpty()
                                && each.work.section().content().rows().stream()
                                        .allMatch(row -> row.get(4).equals("owned")));
    }
}
