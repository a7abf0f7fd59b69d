// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.time;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

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
        return executor(delay, UnaryOperator.identity());
    }

    /** Returns such an executor that wraps each of its tasks. */
    public ScheduledExecutorService executor(LongSupplier delay, UnaryOperator<Runnable> wrapping) {
        return (ScheduledExecutorService) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ScheduledExecutorService.class},
                (proxy, method, given) -> switch (method.getName()) {
                    case "execute" -> {
                        after(delay.getAsLong(), wrapping.apply((Runnable) given[0]));
                        yield null;
                    }
                    case "schedule" -> {
                        double millis = ((TimeUnit) given[2]).toMillis((long) given[1]);
                        yield scheduled(after((long) Math.ceil(millis / rate), wrapping.apply((Runnable) given[0])));
                    }
                    case "shutdown", "shutdownNow" -> {
                        kill();
                        yield List.of();
                    }
                    case "isShutdown" -> dead;
                    default -> throw new UnsupportedOperationException("not needed on virtual time: " + method);
                });
    }

    private static ScheduledFuture<?> scheduled(VirtualTime.Task task) {
        return (ScheduledFuture<?>) Proxy.newProxyInstance(
                VirtualProcess.class.getClassLoader(),
                new Class<?>[] {ScheduledFuture.class},
                (proxy, method, given) -> {
                    task.cancel();
                    return true;
                });
    }
}
