// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.engine;

import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue, the turns and the only timer of an instance. Each input and each wake-up runs on the thread of the executor,
 * followed by a turn; facts that wait together share one turn, up to {@value #MAX_FACTS_OF_A_TURN}. {@link #submit} and {@link #submitFact} may be called from any
 * thread, {@link #wakeAt} by a turn only.
 */
final class EventLoop {

    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);

    /** A producer of facts that is faster than this thread must not keep it from deciding. */
    static final int MAX_FACTS_OF_A_TURN = 1_000;

    private static final long RETRY_MILLIS = 1_000;

    private final String instanceId;
    private final ScheduledExecutorService executor;
    private final LongSupplier clock;
    private final Runnable turn;
    private final Runnable onWake;
    private final Queue<Input> inputs = new ConcurrentLinkedQueue<>();
    private Optional<ScheduledFuture<?>> timer = Optional.empty();
    private long wakeAt = Long.MAX_VALUE;
    private long due;
    private volatile long longestPauseMillis;

    /**
     * Prepares a loop.
     *
     * @param instanceId named in the log
     * @param executor has one thread
     * @param clock monotonic milliseconds
     * @param turn runs after each input and each wake-up
     * @param onWake runs before the turn when the timer expires
     */
    EventLoop(
            String instanceId, ScheduledExecutorService executor, LongSupplier clock, Runnable turn, Runnable onWake) {
        this.instanceId = instanceId;
        this.executor = executor;
        this.clock = clock;
        this.turn = turn;
        this.onWake = onWake;
    }

    /** Queues an input; returns false when the executor has been shut down. */
    boolean submit(Runnable input) {
        return submit(new Input(input, false));
    }

    /**
     * Queues an input that only adds to what is known. If other facts directly behind it wait already, one turn follows all of
     * them. Inputs keep their order.
     */
    void submitFact(Runnable input) {
        submit(new Input(input, true));
    }

    private boolean submit(Input input) {
        inputs.add(input);
        try {
            executor.execute(() -> run(this::takeInputs));
            return true;
        } catch (RejectedExecutionException e) {
            inputs.remove(input);
            LOG.debug("Input after the instance was closed is dropped");
            return false;
        }
    }

    /** Wakes the loop at that time, or at an earlier time that was already set. */
    void wakeAt(long at) {
        if (at >= wakeAt) {
            return;
        }
        timer.ifPresent(future -> future.cancel(false));
        wakeAt = at;
        long delay = Math.max(1, at - clock.getAsLong());
        due = clock.getAsLong() + delay;
        timer = Optional.of(executor.schedule(() -> run(this::wake), delay, TimeUnit.MILLISECONDS));
    }

    /** Each input has a task of the executor; the task finds nothing when an earlier one has taken its input. */
    private boolean takeInputs() {
        Input input = inputs.poll();
        if (input == null) {
            return false;
        }
        input.action().run();
        for (int facts = 1; input.isFact() && facts < MAX_FACTS_OF_A_TURN && isFactNext(); facts++) {
            inputs.poll().action().run();
        }
        return true;
    }

    private boolean isFactNext() {
        Input next = inputs.peek();
        return next != null && next.isFact();
    }

    /**
     * Returns the longest time by which the timer was late, in milliseconds: the process, or at least this thread, did not run for as
     * long.
     */
    long longestPauseMillis() {
        return longestPauseMillis;
    }

    private boolean wake() {
        longestPauseMillis = Math.max(longestPauseMillis, clock.getAsLong() - due);
        wakeAt = Long.MAX_VALUE;
        onWake.run();
        return true;
    }

    /** A defect must not end the only decision thread: it is logged, and the next input tries again. */
    private void run(BooleanSupplier input) {
        try {
            if (input.getAsBoolean()) {
                turn.run();
            }
        } catch (Throwable e) { // An Error would go unnoticed in the executor.
            LOG.error("Discovery of instance {} failed in a decision; the next input tries again", instanceId, e);
            wakeAt(clock.getAsLong() + RETRY_MILLIS);
        }
    }

    private record Input(Runnable action, boolean isFact) {}
}
