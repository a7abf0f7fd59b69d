// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.dispatch;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
 * <p>All calls to the listener run one after the other on the dispatcher's executor, also those of other subscriptions of the same
 * object; nothing is locked meanwhile. The methods may be called from any thread.
 */
final class Subscription {

    /** For how long a listener is waited for that was removed while it was being called. */
    static final long RELEASE_MILLIS = 2_000;

    private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);

    private final TopologyEventListener listener;
    private final Supplier<String> name;
    private final Dispatcher dispatcher;

    /** What the listener acts on: the new view of the last event, null before INIT. */
    private TopologyView told;

    /** Whether the last event was CHANGING. */
    private boolean toldChanging;

    /** What holds now: a view, or null while no view is current. */
    private TopologyView current;

    /** Whether no view was current at some time since the last event, so that CHANGING is due before anything else. */
    private boolean changed;

    private boolean closed;
    private long closedAt;

    /** The call of this subscription, null while there is none. */
    private Call call;

    /** The call of another subscription after which this one goes on. */
    private Call awaited;

    Subscription(TopologyEventListener listener, Supplier<String> name, Dispatcher dispatcher) {
        this.listener = listener;
        this.name = name;
        this.dispatcher = dispatcher;
    }

    boolean isFor(TopologyEventListener other) {
        return listener == other;
    }

    boolean isForSameAs(Subscription other) {
        return other.isFor(listener);
    }

    String name() {
        return name.get();
    }

    private Optional<Call> running() {
        return dispatcher.running().of(listener);
    }

    /** For how long the listener has been busy with one event, in milliseconds; 0 when it is idle. */
    long busyMillis() {
        return running().map(Call::millis).orElse(0L);
    }

    /** How many events are owed to the listener, the one it is busy with included. */
    synchronized int pending() {
        return (running().isPresent() ? 1 : 0) + (next().isPresent() ? 1 : 0);
    }

    /**
     * Says whether the listener acts on a view, or may still do so because it has not returned from the last call. A call of an
     * earlier service is about a view that this one never held. One that was removed is waited for until {@link #releasedAt}.
     */
    synchronized boolean actsOnView() {
        if (closed) {
            return dispatcher.now() < releasedAt();
        }
        return ownCall().isPresent() || told != null && !toldChanging;
    }

    /** The call that the listener is busy with, of this subscription or another of the same service. */
    private Optional<Call> ownCall() {
        return running().filter(each -> each.isOf(dispatcher));
    }

    /** Until when the listener, which was removed during a call, is waited for; the least value when there is no such call. */
    synchronized long releasedAt() {
        boolean called = ownCall().filter(Call::hasBegun).isPresent();
        return closed && called ? closedAt + RELEASE_MILLIS : Long.MIN_VALUE;
    }

    /** From now on no view is current. */
    void tellChanging() {
        synchronized (this) {
            current = null;
            changed = true;
        }
        deliverNext();
    }

    /** From now on that view is current; a view that differs from the one before in properties only if nothing changed since. */
    void tellSettled(TopologyView view) {
        synchronized (this) {
            current = view;
        }
        deliverNext();
    }

    /**
     * Ends the subscription. No call starts after this returned.
     *
     * @return what to wait for before the listener can be said to be free; empty when it is, or itself has brought this about from
     *     within a call
     */
    synchronized Optional<CompletableFuture<Void>> close() {
        closed = true;
        closedAt = dispatcher.now();
        // A call that was handed to the executor and has not begun will find the subscription closed.
        return running()
                .filter(each -> each.hasBegun() && !each.isOnThisThread())
                .map(Call::end);
    }

    void warnBusy() {
        LOG.warn("Listener {} was removed while it was still busy with an event for {} ms", name(), busyMillis());
    }

    /** Says whether the subscription was ended and the listener has returned. */
    synchronized boolean isOver() {
        return closed && ownCall().isEmpty();
    }

    /** Calls the listener if it is owed an event and free. */
    void deliverNext() {
        Runnable then;
        synchronized (this) {
            then = closed || call != null || next().isEmpty() ? () -> {} : begin();
        }
        then.run();
    }

    /** Returns what is to be done without the lock: others may go on in the same thread. */
    private Runnable begin() {
        Call own = new Call(dispatcher);
        Optional<Call> other = dispatcher.running().begin(listener, own);
        if (other.isEmpty()) {
            call = own;
            return () -> handOver(own);
        }
        Call earlier = other.get();
        boolean known = earlier == awaited;
        awaited = earlier;
        return known ? () -> {} : () -> earlier.end().thenRun(this::deliverNext);
    }

    private void handOver(Call own) {
        try {
            dispatcher.executor().execute(() -> deliver(own));
        } catch (RuntimeException | OutOfMemoryError e) {
            // No thread to be had: the listener is told the next time something happens.
            LOG.error("Listener {} cannot be called now; it is called with the next event", name(), e);
            end(own);
        }
    }

    private void deliver(Call own) {
        try {
            take(own).ifPresent(this::tell);
        } finally {
            end(own);
            deliverNext();
            dispatcher.returned().run();
        }
    }

    private synchronized Optional<TopologyEvent> take(Call own) {
        Optional<TopologyEvent> event = closed ? Optional.empty() : next();
        if (event.isPresent()) {
            own.begin();
            remember(event.get());
        }
        return event;
    }

    private void tell(TopologyEvent event) {
        try {
            listener.handleTopologyEvent(event);
        } catch (Throwable e) { // An Error of a listener is no reason to fail others either.
            LOG.error("Listener {} failed on {}; it stays subscribed", name(), event.getType(), e);
        }
    }

    private void end(Call own) {
        synchronized (this) {
            call = null;
        }
        dispatcher.running().end(listener, own);
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
        return sameProperties(current, told)
                ? Optional.empty()
                : Optional.of(event(TopologyEvent.Type.PROPERTIES_CHANGED, told, current));
    }

    /** While nothing changes, views differ in the properties of their instances only, and these count in their equality. */
    private static boolean sameProperties(TopologyView one, TopologyView other) {
        return one == other || one.getInstances().equals(other.getInstances());
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
