// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.testing.time;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A process on virtual time: it can be paused, resumed and killed. Its tasks run one after the other. */
public final class VirtualProcess {

    private final VirtualTime time;
    private final Deque<Runnable> held = new ArrayDeque<>();
    private final long origin;
    private final double rate;
    private boolean paused;
    private boolean dead;
    private boolean catchingUp;

    public VirtualProcess(VirtualTime time) {
        this(time, 0, 1);
    }

    /**
     * Makes a process with a clock that deviates from the virtual time.
     *
     * @param origin the value of the clock at time 0
     * @param rate how fast the clock runs; 1 for right
     */
    public VirtualProcess(VirtualTime time, long origin, double rate) {
        this.time = time;
        this.origin = origin;
        this.rate = rate;
    }

    /** Returns the value of this process's clock, in whole milliseconds. */
    public long clock() {
        return origin + (long) Math.floor(time.now() * rate);
    }

    public boolean isPaused() {
        return paused;
    }

    public boolean isDead() {
        return dead;
    }

    /** Pauses the process until {@link #resume}; tasks that become due are kept. */
    public void pause() {
        paused = true;
    }

    /** Resumes the process: kept tasks run next, in order. */
    public void resume() {
        paused = false;
        catchUp();
    }

    /** Runs kept tasks one at a time: a task may advance the time before it returns. */
    private void catchUp() {
        if (!held.isEmpty() && !catchingUp) {
            catchingUp = true;
            time.after(0, () -> {
                catchingUp = false;
                if (!paused && !dead) {
                    Runnable task = held.poll();
                    catchUp();
                    task.run();
                }
            });
        }
    }

    /** Ends the process for good. */
    public void kill() {
        dead = true;
        held.clear();
    }

    /** Runs a task of this process after a delay in milliseconds of virtual time. */
    public VirtualTime.Task after(long millis, Runnable task) {
        return time.after(millis, () -> enter(task));
    }

    private void enter(Runnable task) {
        if (dead) {
            return;
        }
        if (paused || !held.isEmpty()) {
            held.add(task);
        } else {
            task.run();
        }
    }

    /** Returns an executor whose tasks run in this process, each after the value of {@code delay} at its submission. */
    public ScheduledExecutorService executor(LongSupplier delay) {
        return new Executor(delay);
    }

    private final class Executor extends AbstractExecutorService implements ScheduledExecutorService {

        private final LongSupplier delay;

        private Executor(LongSupplier delay) {
            this.delay = delay;
        }

        @Override
        public void execute(Runnable command) {
            after(delay.getAsLong(), command);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable command, long millis, TimeUnit unit) {
            return new Future(after((long) Math.ceil(unit.toMillis(millis) / rate), command));
        }

        @Override
        public <V> ScheduledFuture<V> schedule(Callable<V> callable, long amount, TimeUnit unit) {
            throw unsupported();
        }

        @Override
        public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long first, long period, TimeUnit unit) {
            throw unsupported();
        }

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long first, long delay, TimeUnit unit) {
            throw unsupported();
        }

        @Override
        public void shutdown() {
            kill();
        }

        @Override
        public List<Runnable> shutdownNow() {
            kill();
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return dead;
        }

        @Override
        public boolean isTerminated() {
            return dead;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return dead;
        }
    }

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("not needed on virtual time");
    }

    private record Future(VirtualTime.Task task) implements ScheduledFuture<Object> {

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            task.cancel();
            return true;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            throw unsupported();
        }

        @Override
        public int compareTo(Delayed other) {
            throw unsupported();
        }

        @Override
        public boolean isCancelled() {
            throw unsupported();
        }

        @Override
        public boolean isDone() {
            throw unsupported();
        }

        @Override
        public Object get() {
            throw unsupported();
        }

        @Override
        public Object get(long timeout, TimeUnit unit) {
            throw unsupported();
        }
    }
}
