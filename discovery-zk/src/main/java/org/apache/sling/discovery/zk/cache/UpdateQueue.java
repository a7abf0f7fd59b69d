// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.sling.discovery.zk.client.Failure;

/**
 * Applies updates in the order in which the store reported them, and runs replies after the updates that came before them. An
 * update whose read got no reply keeps its reservation until {@link #clear}: the connection is lost.
 */
final class UpdateQueue {
    private final Sequencer sequencer;
    private final SnapshotGate gate;
    private final Consumer<Throwable> failed;

    /**
     * Creates an empty queue.
     *
     * @param notification notifies the observer of the present state
     * @param failed called instead of an update whose read has failed, and after one that has failed itself, whatever was thrown
     */
    UpdateQueue(Runnable notification, Consumer<Throwable> failed) {
        this.sequencer = new Sequencer(failed);
        this.gate = new SnapshotGate(() -> {
            try {
                notification.run();
            } catch (Throwable e) { // What waits behind the notification is to go on.
                failed.accept(e);
            }
        });
        this.failed = failed;
    }

    /** Applies what is being read, after all updates that were reported before. */
    <T> void add(CompletableFuture<T> read, Consumer<T> update) {
        whenRead(read, (reservation, value) -> reservation.fill(() -> update.accept(value)));
    }

    /**
     * Applies what is being read as {@link #add} does, but holds the notification until all updates are applied that were reported
     * when the reply came: what was read may be later than them. Returns the reservation of the update.
     */
    <T> Sequencer.Reservation addAhead(CompletableFuture<T> read, Consumer<T> update) {
        return whenRead(read, (reservation, value) -> applyAhead(reservation, () -> update.accept(value)));
    }

    /** Makes the reservation after all that was reported until now. */
    Sequencer.Reservation reserve() {
        return sequencer.reserve();
    }

    /** Fills a reservation as {@link #addAhead} does. */
    void applyAhead(Sequencer.Reservation reservation, Runnable update) {
        if (reservation.isPending()) {
            sequencer.append(gate::open);
            reservation.fill(() -> {
                gate.close();
                update.run();
            });
        }
    }

    /** Runs an action after the observer was notified of all that was reported until now. */
    void afterUpdates(Runnable action) {
        sequencer.append(() -> gate.afterNotification(action));
    }

    /** Notifies the observer, at once or when the notification is not held any more. */
    void notifyObserver() {
        gate.notifyObserver();
    }

    /** Runs what applies several updates; the observer is notified once, after the last of them. */
    void applyTogether(Runnable updates) {
        gate.close();
        try {
            updates.run();
        } finally {
            gate.open();
        }
    }

    /** Holds notifications, and the replies after them, until {@link #release}. */
    void hold() {
        gate.close();
    }

    /** Notifies the observer once if it was to be notified since {@link #hold}. */
    void release() {
        gate.open();
    }

    /** Discards all that waits. */
    void clear() {
        sequencer.clear();
        gate.reset();
    }

    private <T> Sequencer.Reservation whenRead(CompletableFuture<T> read, BiConsumer<Sequencer.Reservation, T> fill) {
        Sequencer.Reservation reservation = sequencer.reserve();
        read.whenComplete((value, thrown) -> {
            if (thrown == null) {
                fill.accept(reservation, value);
            } else if (!Failure.of(thrown).isUnknown()) {
                reservation.fill(() -> failed.accept(Failure.of(thrown)));
            }
        });
        return reservation;
    }
}
