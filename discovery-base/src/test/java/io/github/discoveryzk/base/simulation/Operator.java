// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.simulation;

import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.testing.laws.Chain;
import io.github.discoveryzk.testing.memory.MemoryEnsemble;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Deletes, spoils and restores what a simulated cluster has in the store, as an operator or a foreign client does. */
final class Operator {

    /** A client that the servers refuse opens a new session after that many session timeouts. */
    private static final long CLIENT_GIVES_UP = 3;

    private final Simulation simulation;
    private final Random random;
    private final MemoryEnsemble ensemble;
    private Optional<MemoryEnsemble.Backup> backup = Optional.empty();
    private long memory;
    private long refusedMillis;

    Operator(Simulation simulation, Random random) {
        this.simulation = simulation;
        this.random = random;
        this.ensemble = simulation.ensemble;
    }

    /**
     * Says whether live instances must stay alive and others must not join. After a deletion or a restore only live instances
     * remember the earlier numbers and leaders, until the next view is published. The documentation promises no more than that.
     */
    boolean isMemoryNeeded() {
        return simulation.checks.chain().highestNumber() == memory;
    }

    private void needMemory() {
        memory = simulation.checks.chain().highestNumber();
    }

    private boolean allRemember() {
        Chain chain = simulation.checks.chain();
        long newest = chain.newestNumber();
        return newest > 0
                && newest == chain.highestNumber()
                && simulation.running().stream().allMatch(one -> Checks.number(one.instance.getTopology()) == newest);
    }

    void deleteFolders() {
        simulation.leaveRecord(() -> "an operator deletes the acknowledgements and the suspicions");
        ensemble.deleteFolders();
        simulation.checks.hints.deleted();
        // An acknowledgement that is written again may come too late.
        simulation.running().forEach(one -> one.slowUntil(onTheWayUntil()));
    }

    private void disturbAll() {
        simulation.running().forEach(one -> one.disturbUntil(onTheWayUntil()));
    }

    private long onTheWayUntil() {
        return simulation.time.now() + simulation.swarm.onTheWayMillis();
    }

    void deleteAll() {
        if (allRemember()) {
            simulation.leaveRecord(() -> "an operator deletes all");
            needMemory();
            disturbAll();
            simulation.checks.goBackTo(0);
            ensemble.deleteEverything();
        }
    }

    void spoilView() {
        simulation.leaveRecord(() -> "a foreign client overwrites the view");
        disturbAll();
        simulation.checks.goBackTo(0);
        ensemble.spoilView();
    }

    /** Returns how long restored servers refuse clients, 0 when none were restored. */
    long refusedMillis() {
        return refusedMillis;
    }

    /** Makes a backup, or stops all servers, restores them to it and starts them again. */
    void restoreServers() {
        Optional<EstablishedView> older = backup.flatMap(MemoryEnsemble.Backup::view);
        if (older.isEmpty()) {
            simulation.leaveRecord(() -> "an operator makes a backup");
            backup = Optional.of(ensemble.backup());
        } else if (allRemember()) {
            simulation.leaveRecord(() ->
                    "an operator restores the servers to view " + older.get().number());
            needMemory();
            int session = simulation.swarm.longestSessionTimeout();
            refusedMillis = CLIENT_GIVES_UP * session;
            simulation.running().forEach(one -> {
                one.disturbUntil(onTheWayUntil() + refusedMillis + session);
                one.store.refuse(refusedMillis, random.nextInt(session));
            });
            simulation.checks.goBackTo(older.get().number());
            ensemble.restore(backup.get(), session);
        }
    }

    /** Writes an old view over the present one, as a foreign client, or restores an older state, as an operator. */
    void restore(boolean whole) {
        List<HistoryEntry> history = new ArrayList<>(ensemble.history());
        if (history.size() > 1 && (!whole || allRemember())) {
            long number = history.get(random.nextInt(history.size() - 1)).number();
            EstablishedView older = simulation.checks.established(number);
            simulation.leaveRecord(
                    () -> "the view is overwritten with view " + older.number() + (whole ? ", all else, too" : ""));
            if (whole) {
                needMemory();
            }
            disturbAll();
            simulation.checks.goBackTo(older.number());
            ensemble.restore(older, whole);
        }
    }
}
