// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.testing.memory.MemoryEnsemble;

/** Deletes, spoils and restores what a simulated cluster has in the store, as an operator or a foreign client does. */
final class Operator {

    private final Simulation simulation;
    private final Random random;
    private final MemoryEnsemble ensemble;
    private long memory;

    Operator(Simulation simulation, Random random) {
        this.simulation = simulation;
        this.random = random;
        this.ensemble = simulation.ensemble();
    }

    /**
     * Says whether live instances must stay alive and others must not join. After a deletion or a restore only live instances
     * remember the earlier numbers and leaders, until the next view is published. The documentation promises no more than that.
     */
    boolean isMemoryNeeded() {
        return simulation.laws().published().highestNumber() == memory;
    }

    private void needMemory() {
        memory = simulation.laws().published().highestNumber();
    }

    private boolean allRemember() {
        long newest = simulation.laws().published().newestNumber();
        return newest > 0
                && newest == simulation.laws().published().highestNumber()
                && simulation.running().stream()
                        .allMatch(one -> Publications.number(one.instance().getTopology()) == newest);
    }

    void deleteAcknowledgements() {
        simulation.note(() -> "an operator deletes the acknowledgements");
        ensemble.deleteAcknowledgements();
    }

    private void disturbAll() {
        simulation.running().forEach(one -> one.disturbUntil(simulation.time().now() + Laws.ON_THE_WAY_MILLIS));
    }

    void deleteAll() {
        if (allRemember()) {
            simulation.note(() -> "an operator deletes all");
            needMemory();
            disturbAll();
            simulation.laws().published().recordLoss();
            ensemble.deleteEverything();
        }
    }

    void spoilView() {
        simulation.note(() -> "a foreign client overwrites the view");
        disturbAll();
        simulation.laws().published().recordLoss();
        ensemble.spoilView();
    }

    /** Writes an old view over the present one, as a foreign client, or restores an older state, as an operator. */
    void restore(boolean whole) {
        List<HistoryEntry> history = new ArrayList<>(ensemble.history());
        if (history.size() > 1 && (!whole || allRemember())) {
            long number = history.get(random.nextInt(history.size() - 1)).number();
            EstablishedView older = simulation.laws().published().view(number).orElseThrow();
            simulation.note(
                    () -> "the view is overwritten with view " + older.number() + (whole ? ", all else, too" : ""));
            if (whole) {
                needMemory();
            }
            disturbAll();
            simulation.laws().published().recordOlder(older);
            ensemble.restore(older, whole);
        }
    }
}
