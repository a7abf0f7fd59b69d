// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.sling.discovery.zk.client.Failure;

/**
 * Applies updates in the order in which the store announced them, and runs replies after the updates that came before them. An
 * update whose read got no reply keeps its place until {@link #clear}: the connection is lost.
 */
final class UpdateQueue {
    private final Sequencer sequencer = new Sequencer();
    private final SnapshotGate gate;
    private final Runnable failed;

    /**
     * Creates an empty queue.
     *
     * @param notification notifies the observer of the present state
     * @param failed called in place of an update whose read has failed
     */
    UpdateQueue(Runnable notification, Runnable failed) {
        this.gate = new SnapshotGate(notification);
        this.failed = failed;
    }

    /** Applies what is being read, after all updates that were announced before. */
    <T> void add(CompletableFuture<T> read, Consumer<T> update) {
        whenRead(read, (place, value) -> place.fill(() -> update.accept(value)));
    }

    /**
     * Applies what is being read as {@link #add} does, but holds the notification until all updates are applied that were announced
     * when the reply came: what was read may be later than them.
     */
    <T> void addAhead(CompletableFuture<T> read, Consumer<T> update) {
        whenRead(read, (place, value) -> applyAhead(place, () -> update.accept(value)));
    }

    /** Reserves the place after all that was announced until now. */
    Sequencer.Place reserve() {
        return sequencer.reserve();
    }

    /** Fills a place as {@link #addAhead} does. */
    void applyAhead(Sequencer.Place place, Runnable update) {
        if (place.isPending()) {
            sequencer.append(gate::open);
            place.fill(() -> {
                gate.close();
                update.run();
            });
        }
    }

    /** Runs an action after the observer was notified of all that was announced until now. */
    void afterUpdates(Runnable action) {
        sequencer.append(() -> gate.afterNotification(action));
    }

    /** Notifies the observer, at once or when the notification is not held any more. */
    void notifyObserver() {
        gate.notifyObserver();
    }

    /** Discards all that waits. */
    void clear() {
        sequencer.clear();
        gate.reset();
    }

    private <T> void whenRead(CompletableFuture<T> read, BiConsumer<Sequencer.Place, T> fill) {
        Sequencer.Place place = sequencer.reserve();
        read.whenComplete((value, thrown) -> {
            if (thrown == null) {
                fill.accept(place, value);
            } else if (!Failure.of(thrown).isUnknown()) {
                place.fill(failed);
            }
        });
    }
}
