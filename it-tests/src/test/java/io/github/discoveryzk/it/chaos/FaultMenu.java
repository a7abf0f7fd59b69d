// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import io.github.discoveryzk.it.chaos.Fault.Trait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Chooses the next faults. The same seed gives the same choices. */
final class FaultMenu {

    private static final int MAX_FAULTS = 3;

    private final Random random;
    private final int nodes;
    private final Pattern wanted;

    /** Faults of containers; they use the first two targets. */
    private final List<Choice> nodeFaults = List.of(
            new Choice(3, targets -> NodeFaults.killed(targets.get(0), millis(0, 1))),
            new Choice(3, targets -> NodeFaults.killed(targets.get(0), millis(1_000, 6_000))),
            new Choice(3, targets -> NodeFaults.restarted(targets.get(0))),
            new Choice(3, targets -> NodeFaults.paused(targets.get(0), millis(1_000, 8_000))),
            new Choice(3, targets -> NodeFaults.cutOff(targets.get(0), millis(500, 8_000))),
            new Choice(2, targets -> NodeFaults.requestsLost(targets.get(0), millis(500, 8_000))),
            new Choice(2, targets -> NodeFaults.repliesLost(targets.get(0), millis(500, 8_000))),
            new Choice(3, targets -> NodeFaults.delayed(targets.get(0), millis(10, 800), millis(1_000, 5_000))),
            new Choice(2, targets -> NodeFaults.slowListener(targets.get(0), millis(100, 3_000), targets.get(1))),
            new Choice(2, targets -> NodeFaults.hungListener(targets.get(0), targets.get(1))),
            new Choice(2, targets -> NodeFaults.stoppedInChange(targets.get(0), targets.get(1), millis(0, 2_000))),
            new Choice(2, targets -> NodeFaults.coordinatorKilled(targets.get(1), millis(20, 200), millis(0, 5_000))),
            new Choice(2, targets -> NodeFaults.duplicateId(targets.get(0), chance(2), millis(500, 4_000))),
            new Choice(2, targets -> NodeFaults.evicted(targets.get(0), targets.get(1))),
            new Choice(2, targets -> NodeFaults.steppedDown(targets.get(0))),
            new Choice(1, targets -> NodeFaults.killedAndEvicted(targets.get(0), targets.get(1), millis(0, 3_000))),
            new Choice(
                    3,
                    targets -> NodeFaults.workerInterrupted(
                            targets.get(0), millis(0, 3_000), millis(0, chance(3) ? 4_000 : 200))),
            new Choice(2, targets -> NodeFaults.propertyBurst(targets.get(0), number(1, 40), millis(0, 40))),
            new Choice(
                    2,
                    targets -> NodeFaults.listenersComeAndGo(
                            targets.get(0), number(1, 8), millis(0, chance(4) ? 2_500 : 50), millis(0, 200))),
            new Choice(3, targets -> NodeFaults.neighboursLost(targets.get(0))),
            new Choice(3, targets -> NodeFaults.portBlocked(targets.get(0), millis(200, 8_000))),
            new Choice(2, targets -> StoreFaults.othersComeAndGo(targets.get(0), number(1, 3))),
            new Choice(1, targets -> StoreFaults.memberHidden(targets.get(0), millis(500, 6_000))));

    /** Faults of servers and of the stored data. */
    private final List<Choice> storeFaults = List.of(
            new Choice(3, targets -> StoreFaults.serverParted(server(), millis(3_000, 9_000))),
            new Choice(2, targets -> StoreFaults.rollingRestart()),
            new Choice(
                    2, targets -> StoreFaults.allServersDown(Duration.ofMillis(3L * NodeSettings.MAX_SESSION_MILLIS))),
            new Choice(3, targets -> StoreFaults.diskLost(server())),
            new Choice(3, targets -> StoreFaults.serverPaused(server(), millis(1_000, 8_000))),
            new Choice(
                    3,
                    targets -> StoreFaults.slowDisks(
                            server(), number(1, Ensemble.SIZE + 1), millis(50, 900), millis(1_000, 8_000))),
            new Choice(2, targets -> StoreFaults.treeDeleted(chance(2), number(1, 4))),
            new Choice(2, targets -> StoreFaults.restored(targets.get(0), chance(2))),
            new Choice(3, targets -> StoreFaults.writesDenied(one(StoreFaults.WRITTEN), millis(500, 8_000))),
            new Choice(2, targets -> StoreFaults.readsDenied(one(StoreFaults.READ), millis(500, 8_000))),
            new Choice(2, targets -> StoreFaults.quotaReached(millis(500, 8_000))));

    /** Makes a menu in which each choice has a fault of a wanted kind. */
    FaultMenu(long seed, int nodes, Pattern wanted) {
        this.random = new Random(seed);
        this.nodes = nodes;
        this.wanted = wanted;
    }

    /** Returns one fault or several, of which no two have the same target; often the leader is one of them. */
    List<Fault> next(int leader) {
        List<Fault> faults = choose(leader);
        while (faults.stream().noneMatch(fault -> wanted.matcher(fault.kind()).find())) {
            faults = choose(leader);
        }
        return faults;
    }

    private List<Fault> choose(int leader) {
        List<Integer> targets = targets(leader);
        List<Fault> faults = new ArrayList<>();
        int count = 1 + random.nextInt(MAX_FAULTS);
        if (random.nextInt(3) == 0) {
            Fault fault = one(storeFaults, targets);
            if (fault.is(Trait.ALONE)) {
                return List.of(fault);
            }
            faults.add(fault);
            // Most of these do nothing by themselves: they make it harder to recover from other faults.
            count = Math.max(count, 2);
        }
        while (faults.size() < count && targets.size() >= 2) {
            Fault fault = one(nodeFaults, targets);
            targets.removeAll(fault.nodes());
            if (fault.is(Trait.ALONE)) {
                return List.of(fault);
            }
            faults.add(fault);
        }
        return faults;
    }

    private List<Integer> targets(int leader) {
        List<Integer> targets = IntStream.range(0, nodes).boxed().collect(Collectors.toList());
        Collections.shuffle(targets, random);
        if (random.nextBoolean()) {
            targets.remove((Integer) leader);
            targets.add(0, leader);
        }
        return targets;
    }

    private Fault one(List<Choice> choices, List<Integer> targets) {
        int left = random.nextInt(choices.stream().mapToInt(Choice::weight).sum());
        for (Choice choice : choices) {
            left -= choice.weight();
            if (left < 0) {
                return choice.fault().apply(targets);
            }
        }
        throw new IllegalStateException("the weights have changed");
    }

    private int server() {
        return random.nextInt(Ensemble.SIZE);
    }

    private String one(List<String> parts) {
        return parts.get(random.nextInt(parts.size()));
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    private int number(int from, int to) {
        return from + random.nextInt(to - from);
    }

    private Duration millis(int from, int to) {
        return Duration.ofMillis(number(from, to));
    }

    /**
     * A fault that can be chosen.
     *
     * @param weight its frequency, relative to the others of its list
     * @param fault makes the fault for targets, the first of which it uses
     */
    private record Choice(int weight, Function<List<Integer>, Fault> fault) {}
}
