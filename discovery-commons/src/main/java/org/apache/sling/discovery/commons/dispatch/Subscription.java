// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.dispatch;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One listener and what it still has to be told. Instead of a queue of events there is what it was told last and what holds
 * now; the next event is the difference, made when the listener is free. So a slow listener hears fewer events, never a wrong
 * one, and what is kept for it does not grow.
 *
 * <p>All calls to the listener run one after the other on the executor given; nothing is locked meanwhile. The methods may be
 * called from any thread.
 */
final class Subscription {

    private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);
    private static final long UNBIND_WAIT_MILLIS = 2_000;

    private final TopologyEventListener listener;
    private final Supplier<String> name;
    private final Executor executor;
    private final LongSupplier clock;
    private final Runnable returned;

    /** What the listener acts on: the new view of the last event, null before INIT. */
    private TopologyView told;

    /** Whether the last event was CHANGING. */
    private boolean toldChanging;

    /** What holds now: a view, or null while no view is current. */
    private TopologyView current;

    /** Whether no view was current at some time since the last event, so that CHANGING is due before anything else. */
    private boolean changed;

    private boolean closed;
    private Thread caller;
    private volatile CompletableFuture<Void> call;
    private volatile long busySince;

    Subscription(
            TopologyEventListener listener,
            Supplier<String> name,
            Executor executor,
            LongSupplier clock,
            Runnable returned) {
        this.listener = listener;
        this.name = name;
        this.executor = executor;
        this.clock = clock;
        this.returned = returned;
    }

    boolean isFor(TopologyEventListener other) {
        return listener == other;
    }

    String name() {
        return name.get();
    }

    /** For how long the listener has been busy with one event, in milliseconds; 0 when it is idle. */
    long busyMillis() {
        return call == null ? 0 : Math.max(0, clock.getAsLong() - busySince);
    }

    /** How many events are owed to the listener, the one it is busy with included. */
    synchronized int pending() {
        return (call == null ? 0 : 1) + (next().isPresent() ? 1 : 0);
    }

    /** Says whether the listener acts on a view, or may still do so because it has not returned from the last call. */
    synchronized boolean actsOnView() {
        return !closed && (call != null || told != null && !toldChanging);
    }

    /** From now on no view is current. */
    synchronized void changing() {
        current = null;
        changed = true;
        deliverNext();
    }

    /** From now on that view is current; a view that differs from the one before in properties only if nothing changed since. */
    synchronized void settled(TopologyView view) {
        current = view;
        deliverNext();
    }

    /**
     * Ends the subscription. No call starts after this returned. Waits for a call that is running, unless the listener itself
     * unsubscribes from within it, but not for ever: a listener that hangs must not hang who removes it.
     */
    void close() {
        CompletableFuture<Void> running;
        synchronized (this) {
            closed = true;
            // A call that was handed to the executor and has not begun will find the subscription closed.
            running = caller == null || caller == Thread.currentThread() ? null : call;
        }
        if (running != null) {
            await(running);
        }
    }

    private void await(CompletableFuture<Void> running) {
        try {
            running.get(UNBIND_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warn("Listener {} was removed while it was still busy with an event for {} ms", name(), busyMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a listener call never completes exceptionally", e);
        }
    }

    boolean isIdle() {
        return call == null;
    }

    /** Has this subscription call the listener only after an earlier one of the same listener has ended its last call. */
    synchronized void startAfter(Subscription earlier) {
        CompletableFuture<Void> running = earlier.call;
        if (running != null) {
            call = running;
            running.thenRun(this::begin);
        }
    }

    private synchronized void begin() {
        call = null;
        deliverNext();
    }

    synchronized void retry() {
        deliverNext();
    }

    private void deliverNext() {
        if (!closed && call == null && next().isPresent()) {
            call = new CompletableFuture<>();
            busySince = clock.getAsLong();
            try {
                executor.execute(this::deliver);
            } catch (RuntimeException | OutOfMemoryError e) {
                // No thread to be had: the listener is told the next time something happens.
                call = null;
                LOG.error("Listener {} cannot be called now; it is called with the next event", name(), e);
            }
        }
    }

    private void deliver() {
        Optional<TopologyEvent> event = take();
        event.ifPresent(this::tell);
        finish();
        returned.run();
    }

    private synchronized Optional<TopologyEvent> take() {
        Optional<TopologyEvent> event = closed ? Optional.empty() : next();
        caller = Thread.currentThread();
        busySince = clock.getAsLong();
        event.ifPresent(this::remember);
        return event;
    }

    private void tell(TopologyEvent event) {
        try {
            listener.handleTopologyEvent(event);
        } catch (Throwable e) { // An Error of a listener is no reason to fail others either.
            LOG.error("Listener {} failed on {}; it stays subscribed", name(), event.getType(), e);
        }
    }

    private synchronized void finish() {
        CompletableFuture<Void> done = call;
        caller = null;
        call = null;
        deliverNext();
        done.complete(null);
    }

    /** The event that leads from what the listener was told to what holds now. */
    private Optional<TopologyEvent> next() {
        if (told == null) {
            return Optional.ofNullable(current).map(view -> event(TopologyEvent.Type.TOPOLOGY_INIT, null, view));
        }
        if (toldChanging) {
            return Optional.ofNullable(current).map(view -> event(TopologyEvent.Type.TOPOLOGY_CHANGED, told, view));
        }
        if (changed) {
            return Optional.of(event(TopologyEvent.Type.TOPOLOGY_CHANGING, told, null));
        }
        return current == told
                ? Optional.empty()
                : Optional.of(event(TopologyEvent.Type.PROPERTIES_CHANGED, told, current));
    }

    private void remember(TopologyEvent event) {
        toldChanging = event.getNewView() == null;
        changed = false;
        if (!toldChanging) {
            told = event.getNewView();
        }
    }

    private static TopologyEvent event(TopologyEvent.Type type, TopologyView old, TopologyView view) {
        return new TopologyEvent(type, old, view);
    }
}
