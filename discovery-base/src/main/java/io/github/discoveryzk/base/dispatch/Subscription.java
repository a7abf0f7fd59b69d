// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.dispatch;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One listener and its next event. Instead of a queue of events this keeps the last view sent and the present one; the next
 * event is the difference, computed when the listener is free. So a slow listener receives fewer events, never a wrong one, and
 * its memory does not grow.
 *
 * <p>All calls of the listener run one after the other on the dispatcher's executor, including those of other subscriptions of
 * the same object; no lock is held meanwhile. The methods may be called from any thread.
 */
final class Subscription {

    /** How long to wait for a listener that was removed during a call. */
    static final long RELEASE_MILLIS = 2_000;

    private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);

    private final TopologyEventListener listener;
    private final Supplier<String> name;
    private final boolean ownClusterOnly;
    private final Dispatcher dispatcher;

    /** The view on which the listener acts: the new view of the last event, null before INIT. */
    private TopologyView delivered;

    /** Whether the last event was CHANGING. */
    private boolean deliveredChanging;

    /** The current view, or null while there is none. */
    private TopologyView current;

    /** Whether no view was current at some time since the last event, so that CHANGING is the next event. */
    private boolean changed;

    private boolean closed;
    private long closedAt;

    /** The call of this subscription, null while there is none. */
    private Call call;

    /** Written at the end of each call, one after the other. */
    private volatile long longestMillis;

    /** The call of another subscription that must end before this one continues. */
    private Call awaited;

    /**
     * Creates a subscription.
     *
     * @param ownClusterOnly whether changes of other clusters are no changes for the listener
     */
    Subscription(TopologyEventListener listener, Supplier<String> name, boolean ownClusterOnly, Dispatcher dispatcher) {
        this.listener = listener;
        this.name = name;
        this.ownClusterOnly = ownClusterOnly;
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

    /** Returns the class of the listener; that of a lambda is what made it. */
    String type() {
        return listener.getClass().getName().replaceFirst("\\$\\$.*", "");
    }

    /** Returns how long the longest call has taken, or takes until now, in milliseconds. */
    long longestMillis() {
        return Math.max(longestMillis, busyMillis());
    }

    private Optional<Call> running() {
        return dispatcher.running().of(listener);
    }

    /** Returns how long the listener has been handling one event, in milliseconds; 0 when it is idle. */
    long busyMillis() {
        return running().map(Call::millis).orElse(0L);
    }

    /** Returns the number of pending events, including the one that the listener is handling. */
    synchronized int pending() {
        return (running().isPresent() ? 1 : 0) + (next().isPresent() ? 1 : 0);
    }

    /**
     * Says whether the listener acts on a view, or may still do so because it has not returned from the last call. A call of an
     * earlier service does not count: its view was never one of this service. A removed listener counts until
     * {@link #releasedAt}.
     */
    synchronized boolean actsOnView() {
        if (closed) {
            return dispatcher.now() < releasedAt();
        }
        return ownCall().isPresent() || delivered != null && !deliveredChanging;
    }

    /** Returns the running call of the listener, by this subscription or another of the same service. */
    private Optional<Call> ownCall() {
        return running().filter(each -> each.isOf(dispatcher));
    }

    /**
     * Returns until when to wait for the listener, which was removed during a call; the least value when there is no such call.
     */
    synchronized long releasedAt() {
        boolean called = ownCall().filter(Call::hasBegun).isPresent();
        return closed && called ? closedAt + RELEASE_MILLIS : Long.MIN_VALUE;
    }

    /** Records that no view is current. */
    void notifyChanging() {
        synchronized (this) {
            current = null;
            changed = true;
        }
        deliverNext();
    }

    /** Records that the current view is replaced because another cluster has changed. */
    void notifyRemoteChanging() {
        if (!ownClusterOnly) {
            notifyChanging();
        }
    }

    /** Records the current view; it differs from the previous one in properties only unless there was a change in between. */
    void notifySettled(TopologyView view) {
        synchronized (this) {
            current = view;
        }
        deliverNext();
    }

    /**
     * Ends the subscription. No call starts after this returned.
     *
     * @return the call to wait for; empty when the listener is free, or when it ends its own subscription during a call
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
        LOG.warn("Listener {} was removed during a call that has run for {} ms", name(), busyMillis());
    }

    /** Says whether the subscription has ended and the listener has returned. */
    synchronized boolean isOver() {
        return closed && ownCall().isEmpty();
    }

    /** Calls the listener if it is free and an event is pending. */
    void deliverNext() {
        Runnable then;
        synchronized (this) {
            then = closed || call != null || next().isEmpty() ? () -> {} : begin();
        }
        then.run();
    }

    /** Returns the action to run without the lock: another subscription may continue in the same thread. */
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
            // No thread is available: the listener is called when the next event occurs.
            LOG.error("Listener {} cannot be called now; it is called with the next event", name(), e);
            end(own);
        }
    }

    private void deliver(Call own) {
        try {
            take(own).ifPresent(this::deliver);
        } finally {
            longestMillis = Math.max(longestMillis, own.millis());
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

    private void deliver(TopologyEvent event) {
        try {
            listener.handleTopologyEvent(event);
        } catch (Throwable e) { // An Error of one listener must not affect others.
            LOG.error("Listener {} failed on {}; it stays subscribed", name(), event.getType(), e);
        }
    }

    private void end(Call own) {
        synchronized (this) {
            call = null;
        }
        dispatcher.running().end(listener, own);
    }

    /** Returns the event that leads from the last view sent to the present state. */
    private Optional<TopologyEvent> next() {
        if (delivered == null) {
            return Optional.ofNullable(current).map(view -> event(TopologyEvent.Type.TOPOLOGY_INIT, null, view));
        }
        if (deliveredChanging) {
            return Optional.ofNullable(current)
                    .map(view -> event(TopologyEvent.Type.TOPOLOGY_CHANGED, delivered, view));
        }
        if (changed) {
            return Optional.of(event(TopologyEvent.Type.TOPOLOGY_CHANGING, delivered, null));
        }
        return sameProperties(current, delivered)
                ? Optional.empty()
                : Optional.of(event(TopologyEvent.Type.PROPERTIES_CHANGED, delivered, current));
    }

    /** Without a change between them, views differ in properties of their instances only, which their equality covers. */
    private static boolean sameProperties(TopologyView one, TopologyView other) {
        return one == other || one.getInstances().equals(other.getInstances());
    }

    private void remember(TopologyEvent event) {
        deliveredChanging = event.getNewView() == null;
        changed = false;
        if (!deliveredChanging) {
            delivered = event.getNewView();
        }
    }

    private static TopologyEvent event(TopologyEvent.Type type, TopologyView old, TopologyView view) {
        return new TopologyEvent(type, old, view);
    }
}
