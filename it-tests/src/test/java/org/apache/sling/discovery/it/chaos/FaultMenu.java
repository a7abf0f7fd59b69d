// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Chooses what is to be done next. The same seed gives the same choices. */
final class FaultMenu {

    private static final int KINDS_FOR_NODES = 11;
    private static final int KINDS_FOR_SERVERS = 5;
    private static final int MOST_AT_ONCE = 3;

    private final Random random;
    private final int nodes;

    FaultMenu(long seed, int nodes) {
        this.random = new Random(seed);
        this.nodes = nodes;
    }

    /** Returns one fault or several, of which no two have the same target; often the leader is one of them. */
    List<Fault> next(int leader) {
        List<Integer> targets = targets(leader);
        List<Fault> faults = new ArrayList<>();
        int count = 1 + random.nextInt(MOST_AT_ONCE);
        if (random.nextInt(3) == 0) {
            faults.add(serverFault());
        }
        while (faults.size() < count && targets.size() >= 2) {
            NodeFault fault = nodeFault(targets);
            targets.removeAll(fault.nodes());
            faults.add(fault);
            if (!canBeCombined(fault)) {
                return List.of(fault);
            }
        }
        return faults;
    }

    /** These wait for the rest of the cluster, or are about its leader whoever that is. */
    private static boolean canBeCombined(Fault fault) {
        return !(fault instanceof NodeFault.SlowListener
                || fault instanceof NodeFault.HungListener
                || fault instanceof NodeFault.StoppedInChange
                || fault instanceof NodeFault.CoordinatorKilled);
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

    private NodeFault nodeFault(List<Integer> targets) {
        int node = targets.get(0);
        int other = targets.get(1);
        return switch (random.nextInt(KINDS_FOR_NODES)) {
            case 0 -> new NodeFault.Killed(node, millis(0, 1));
            case 1 -> new NodeFault.Killed(node, millis(1_000, 6_000));
            case 2 -> new NodeFault.Restarted(node);
            case 3 -> new NodeFault.Paused(node, millis(1_000, 8_000));
            case 4 -> new NodeFault.CutOff(node, millis(500, 8_000));
            case 5 -> random.nextBoolean()
                    ? new NodeFault.RequestsLost(node, millis(500, 8_000))
                    : new NodeFault.RepliesLost(node, millis(500, 8_000));
            case 6 -> new NodeFault.Delayed(node, millis(10, 800), millis(1_000, 5_000));
            case 7 -> new NodeFault.SlowListener(node, millis(100, 3_000), other);
            case 8 -> new NodeFault.HungListener(node, other);
            case 9 -> new NodeFault.StoppedInChange(node, other, millis(0, 2_000));
            default -> new NodeFault.CoordinatorKilled(other, millis(20, 200), millis(0, 5_000));
        };
    }

    private ServerFault serverFault() {
        int server = random.nextInt(Ensemble.SIZE);
        return switch (random.nextInt(KINDS_FOR_SERVERS)) {
            case 0 -> new ServerFault.ServerParted(server, millis(3_000, 9_000));
            case 1 -> new ServerFault.RollingRestart();
            case 2 -> new ServerFault.AllServersDown(Duration.ofMillis(3L * Fleet.SESSION_MILLIS));
            case 3 -> new ServerFault.DiskLost(server);
            default -> new ServerFault.ServerPaused(server, millis(1_000, 8_000));
        };
    }

    private Duration millis(int from, int to) {
        return Duration.ofMillis(from + random.nextInt(to - from));
    }
}
