// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.dispatch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;

/**
 * The listeners of an instance. Each receives {@code INIT (PROPERTIES_CHANGED | CHANGING CHANGED)*}, one call at a time,
 * independently of the others. A listener added while a change is being settled receives only INIT with the resulting view.
 *
 * <p>{@link #notifyChanging} and {@link #notifySettled} are called by one thread; all other methods may be called by any.
 */
public final class Subscriptions {

    private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();

    /**
     * Subscriptions that were removed during a call, the last one of each listener: these listeners may still act on a view.
     */
    private final List<Subscription> ending = new CopyOnWriteArrayList<>();

    private final Dispatcher dispatcher;
    private final Runnable returned;
    private Optional<TopologyView> current = Optional.empty();

    /**
     * Makes an empty set of subscriptions for listeners that may still be in a call of an earlier service.
     *
     * @param executor runs the calls; must not delay the call of one listener because of another
     * @param clock monotonic milliseconds
     * @param returned run by the executor's threads each time a listener has returned
     * @param running the calls of this service and of earlier ones
     */
    public Subscriptions(Executor executor, LongSupplier clock, Runnable returned, RunningCalls running) {
        this.dispatcher = new Dispatcher(executor, clock, running, this::released);
        this.returned = returned;
    }

    private void released() {
        ending.removeIf(Subscription::isOver);
        returned.run();
    }

    /** Adds a listener under a display name; a listener that was added already is not added again. */
    public void add(TopologyEventListener listener, String name) {
        add(listener, () -> name);
    }

    /** Adds a listener with a supplier of its name, called each time the name is shown, on any thread. */
    public void add(TopologyEventListener listener, Supplier<String> name) {
        add(listener, name, false);
    }

    /** Adds a listener as {@link #add(TopologyEventListener, Supplier)} does, for which changes of other clusters are no changes. */
    public void addForOwnCluster(TopologyEventListener listener, Supplier<String> name) {
        add(listener, name, true);
    }

    private synchronized void add(TopologyEventListener listener, Supplier<String> name, boolean ownClusterOnly) {
        if (subscriptions.stream().noneMatch(known -> known.isFor(listener))) {
            Subscription subscription = new Subscription(listener, name, ownClusterOnly, dispatcher);
            subscriptions.add(subscription);
            current.ifPresent(subscription::notifySettled);
        }
    }

    /**
     * Removes a listener. No call to it starts after this returned. Waits for a call that runs, unless the listener itself
     * unsubscribes from within it, but not without limit: a hanging listener must not block its removal. {@link #acting} names
     * it during that wait.
     */
    public void remove(TopologyEventListener listener) {
        remove(listener, Deadline.in(Subscription.RELEASE_MILLIS, dispatcher.clock()));
    }

    void remove(TopologyEventListener listener, Deadline deadline) {
        Optional<Subscription> removed = detach(listener);
        removed.ifPresent(subscription ->
                subscription.close().filter(call -> !deadline.await(call)).ifPresent(call -> subscription.warnBusy()));
        removed.ifPresent(subscription -> released());
    }

    private synchronized Optional<Subscription> detach(TopologyEventListener listener) {
        Optional<Subscription> found =
                subscriptions.stream().filter(known -> known.isFor(listener)).findFirst();
        found.ifPresent(subscription -> {
            ending.add(subscription);
            ending.removeIf(each -> each != subscription && each.isFor(listener));
            subscriptions.remove(subscription);
        });
        return found;
    }

    /** Removes all listeners; waits for running calls until the deadline. */
    public void close(Deadline deadline) {
        List<Subscription> all;
        synchronized (this) {
            all = List.copyOf(subscriptions);
            subscriptions.clear();
            current = Optional.empty();
        }
        Map<Subscription, CompletableFuture<Void>> called = new LinkedHashMap<>();
        all.forEach(each -> each.close().ifPresent(call -> called.put(each, call)));
        called.forEach((subscription, call) -> {
            if (!deadline.await(call)) {
                subscription.warnBusy();
            }
        });
    }

    /** Records that no view is current now. */
    public synchronized void notifyChanging() {
        current = Optional.empty();
        subscriptions.forEach(Subscription::notifyChanging);
    }

    /**
     * Records that the current view is replaced because another cluster has changed. {@link #notifySettled} with the next view follows at
     * once: nothing waits for the listeners.
     */
    public synchronized void notifyRemoteChanging() {
        current = Optional.empty();
        subscriptions.forEach(Subscription::notifyRemoteChanging);
    }

    /** Records the current view. */
    public synchronized void notifySettled(TopologyView view) {
        current = Optional.of(view);
        subscriptions.forEach(subscription -> subscription.notifySettled(view));
    }

    /** Calls listeners that could not be called when an event occurred, because no thread was available. */
    public void retry() {
        subscriptions.forEach(Subscription::deliverNext);
    }

    /**
     * Returns the names of the listeners that act on a view, or have not returned from the last call. A listener that was
     * removed during that call is included until it returns or the wait for it is over.
     */
    public List<String> acting() {
        List<String> names = new ArrayList<>();
        for (Subscription each : subscriptions) {
            if (each.actsOnView()) {
                names.add(each.name());
            }
        }
        if (!ending.isEmpty()) {
            removed().filter(Subscription::actsOnView).map(Subscription::name).forEach(names::add);
        }
        return names;
    }

    /** A listener that was added again counts with its present subscription only. */
    private Stream<Subscription> removed() {
        return ending.stream().filter(each -> subscriptions.stream().noneMatch(each::isForSameAs));
    }

    /**
     * Returns when {@link #acting} ceases to name the next listener that was removed during a call and has not returned, in
     * milliseconds of the clock; {@link Long#MAX_VALUE} when there is none.
     */
    public long releasedAt() {
        if (ending.isEmpty()) {
            return Long.MAX_VALUE;
        }
        long now = dispatcher.now();
        return removed()
                .mapToLong(Subscription::releasedAt)
                .filter(at -> at > now)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /**
     * Returns when the next listener will have been busy for that long, in milliseconds of the clock; {@link Long#MAX_VALUE} when no listener
     * is busy or all have been for longer.
     */
    public long busyForAt(long limitMillis) {
        long next = Long.MAX_VALUE;
        for (Subscription each : subscriptions) {
            long busy = each.busyMillis();
            if (busy < limitMillis && each.pending() > 0) {
                next = Math.min(next, dispatcher.now() + limitMillis - busy);
            }
        }
        return next;
    }

    /** Returns the status of each listener. */
    public List<Status> status() {
        return subscriptions.stream()
                .map(each ->
                        new Status(each.name(), each.type(), each.pending(), each.busyMillis(), each.longestMillis()))
                .toList();
    }

    /**
     * The status of a listener.
     *
     * @param name its name
     * @param type its class, without what differs in each process
     * @param pending pending events, including the one it is handling
     * @param busyMillis how long it has been handling one event, 0 when idle
     * @param longestMillis how long its longest call has taken
     */
    public record Status(String name, String type, int pending, long busyMillis, long longestMillis) {}
}
