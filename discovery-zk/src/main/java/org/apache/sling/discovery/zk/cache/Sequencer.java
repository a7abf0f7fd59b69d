// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Runs actions in the order of their reservations, even if these are filled in another order. So what the store
 * reported in one order is applied in that order, although some of it must be read first.
 */
final class Sequencer {
    private final Deque<Reservation> reservations = new ArrayDeque<>();
    private final Consumer<Throwable> failed;
    private boolean running;

    /**
     * Creates one without reservations.
     *
     * @param failed called with whatever an action throws; the actions after it run all the same
     */
    Sequencer(Consumer<Throwable> failed) {
        this.failed = failed;
    }

    /** Makes the last reservation. */
    Reservation reserve() {
        Reservation reservation = new Reservation();
        reservations.add(reservation);
        return reservation;
    }

    /** Runs an action after those of all present reservations. */
    void append(Runnable action) {
        reserve().fill(action);
    }

    /** Discards all reservations; their actions never run. */
    void clear() {
        reservations.clear();
    }

    private void runFilled() {
        if (running) {
            return;
        }
        running = true;
        try {
            while (!reservations.isEmpty() && reservations.peek().action != null) {
                run(reservations.poll().action);
            }
        } finally {
            running = false;
        }
    }

    private void run(Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            failed.accept(e);
        }
    }

    /** A reservation in the sequence. */
    final class Reservation {
        private Runnable action;

        private Reservation() {}

        /** Returns whether the action is still to run; false after {@link #clear}. */
        boolean isPending() {
            return reservations.contains(this);
        }

        /** Sets the action of this reservation, and runs it when all reservations before have run. */
        void fill(Runnable what) {
            action = what;
            runFilled();
        }
    }
}
