// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Lets things happen in the order in which their places were taken, however late each becomes ready. What the store told in
 * some order is thereby passed on in that order, although some of it must first be read.
 */
final class Sequencer {
    private final Deque<Place> places = new ArrayDeque<>();
    private boolean running;

    /** Takes the last place. */
    Place reserve() {
        Place place = new Place();
        places.add(place);
        return place;
    }

    /** Lets something happen once all that has a place now has happened. */
    void append(Runnable action) {
        reserve().fill(action);
    }

    /** Forgets all that has not happened yet; it never will. */
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

    /** A place in the line. */
    final class Place {
        private Runnable action;

        private Place() {}

        /** Says whether its turn is still to come; false once it was forgotten. */
        boolean isPending() {
            return places.contains(this);
        }

        /** Says what happens when it is this place's turn, and that it may. */
        void fill(Runnable what) {
            action = what;
            runFilled();
        }
    }
}
