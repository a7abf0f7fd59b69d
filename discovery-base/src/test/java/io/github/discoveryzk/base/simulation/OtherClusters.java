// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.simulation;

import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.RemoteCluster.RemoteInstance;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Clusters besides the simulated one: in the same store, and behind connectors of its members. They come, change and go. */
final class OtherClusters {

    /** One of the instance ids is used in the simulated cluster too. */
    private static final List<String> INSTANCES = List.of("x", "y", "z", "b");

    private final Simulation simulation;
    private final Random random;
    private long changedAt = Long.MIN_VALUE;

    OtherClusters(Simulation simulation, Random random) {
        this.simulation = simulation;
        this.random = random;
    }

    /** Returns when another cluster changed last; far in the future when connectors may have ended: that has consequences later. */
    long changedAt() {
        return changedAt;
    }

    /** Changes what all instances see in the store. */
    void change() {
        List<RemoteCluster> clusters = new ArrayList<>();
        for (String id : List.of("near", "second")) {
            if (random.nextBoolean()) {
                List<String> ids = someIds();
                clusters.add(new RemoteCluster(
                        id,
                        ids.stream()
                                .map(each -> new RemoteInstance(each, properties()))
                                .toList(),
                        ids.get(random.nextInt(ids.size()))));
            }
        }
        simulation.leaveRecord(() -> "the other clusters are " + clusters);
        changedAt = Math.max(changedAt, simulation.time.now());
        simulation.ensemble.showClusters(clusters);
    }

    /** Changes what an instance shares. */
    void share(SimulatedInstance one) {
        List<String> ids = someIds();
        boolean some = random.nextInt(3) > 0;
        simulation.leaveRecord(() -> one + " shares " + (some ? ids : "nothing"));
        changedAt = Long.MAX_VALUE;
        one.store.share(
                some ? SimulatedConnectors.USED.announced("far", ids, String.valueOf(random.nextInt(3))) : Map.of());
    }

    private List<String> someIds() {
        List<String> ids = new ArrayList<>(INSTANCES);
        Collections.shuffle(ids, random);
        return ids.subList(0, 1 + random.nextInt(3));
    }

    private Map<String, String> properties() {
        return Map.of("p", String.valueOf(random.nextInt(3)));
    }
}
