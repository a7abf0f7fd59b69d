// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.time;

import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/**
 * A clock that advances only by running scheduled actions, in the order of their times and, for equal times, of their
 * scheduling.
 */
public final class VirtualTime {

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long now = 1_000_000;
    private long count;

    public long now() {
        return now;
    }

    /** Runs an action after a delay in milliseconds; 0 for directly after the present one. */
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

    /** Runs all actions due within the given number of milliseconds and advances the clock to its end. */
    public void run(long millis) {
        long end = now + millis;
        while (!tasks.isEmpty() && tasks.peek().at <= end) {
            step();
        }
        // An action may have advanced it further.
        now = Math.max(now, end);
    }

    /** Runs until the condition holds or the given number of milliseconds has passed, and returns whether it holds. */
    public boolean runUntil(BooleanSupplier condition, long millis) {
        long end = now + millis;
        while (!condition.getAsBoolean() && !tasks.isEmpty() && tasks.peek().at <= end) {
            step();
        }
        return condition.getAsBoolean();
    }

    /** A scheduled action. */
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
