// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.testing.time;

import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** A clock that moves only by running what was scheduled, in the order of its time and, at one time, of its scheduling. */
public final class VirtualTime {

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long now = 1_000_000;
    private long count;

    public long now() {
        return now;
    }

    /** Runs an action after a delay in milliseconds; 0 for as soon as the present one is through. */
    public Task after(long millis, Runnable action) {
        Task task = new Task(now + Math.max(0, millis), count++, action);
        tasks.add(task);
        return task;
    }

    /** Runs the next action and says whether there was one. */
    public boolean step() {
        Task next = tasks.poll();
        if (next == null) {
            return false;
        }
        now = Math.max(now, next.at);
        if (!next.cancelled) {
            next.action.run();
        }
        return true;
    }

    /** Runs all that is due within so many milliseconds and moves the clock there. */
    public void run(long millis) {
        long end = now + millis;
        while (!tasks.isEmpty() && tasks.peek().at <= end) {
            step();
        }
        now = end;
    }

    /** Runs until the condition holds or so many milliseconds are over, and says whether it holds. */
    public boolean runUntil(BooleanSupplier condition, long millis) {
        long end = now + millis;
        while (!condition.getAsBoolean() && !tasks.isEmpty() && tasks.peek().at <= end) {
            step();
        }
        return condition.getAsBoolean();
    }

    /** Something scheduled. */
    public static final class Task implements Comparable<Task> {

        private final long at;
        private final long number;
        private final Runnable action;
        private boolean cancelled;

        private Task(long at, long number, Runnable action) {
            this.at = at;
            this.number = number;
            this.action = action;
        }

        public void cancel() {
            cancelled = true;
        }

        @Override
        public int compareTo(Task other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
        }
    }
}
