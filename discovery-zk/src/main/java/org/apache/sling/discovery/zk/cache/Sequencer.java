// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Runs actions in the order in which their places were reserved, even if the places are filled in another order. So what the store
 * announced in one order is applied in that order, although some of it must be read first.
 */
final class Sequencer {
    private final Deque<Place> places = new ArrayDeque<>();
    private boolean running;

    /** Reserves the last place. */
    Place reserve() {
        Place place = new Place();
        places.add(place);
        return place;
    }

    /** Runs an action after those of all places that are reserved now. */
    void append(Runnable action) {
        reserve().fill(action);
    }

    /** Discards all places; their actions never run. */
    void clear() {
        places.clear();
    }

    private void runFilled() {
        if (running) {
            return;
        }
        running = true;
        try {
            while (!places.isEmpty() && places.peek().action != null) {
                places.poll().action.run();
            }
        } finally {
            running = false;
        }
    }

    /** A place in the sequence. */
    final class Place {
        private Runnable action;

        private Place() {}

        /** Returns whether the action is still to run; false after {@link #clear}. */
        boolean isPending() {
            return places.contains(this);
        }

        /** Sets the action of this place, and runs it when all places before have run. */
        void fill(Runnable what) {
            action = what;
            runFilled();
        }
    }
}
