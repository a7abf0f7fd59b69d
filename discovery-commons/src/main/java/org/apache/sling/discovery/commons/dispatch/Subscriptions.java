// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.dispatch;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;

/**
 * The listeners of an instance. Each hears {@code INIT (PROPERTIES_CHANGED | CHANGING CHANGED)*}, one call at a time, whatever
 * the others do. A listener added while a change is being settled hears nothing of it but INIT with the outcome.
 *
 * <p>{@link #changing} and {@link #settled} are called by one thread; all other methods may be called by any.
 */
public final class Subscriptions {

    private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();

    /** Removed while they were being called; should one be added again, the calls must not overlap. */
    private final List<Subscription> ending = new CopyOnWriteArrayList<>();

    private final Executor executor;
    private final LongSupplier clock;
    private final Runnable returned;
    private Optional<TopologyView> current = Optional.empty();

    /**
     * Makes an empty set of subscriptions.
     *
     * @param executor runs the calls; must not hold one listener's call back because of another's
     * @param clock monotonic milliseconds
     * @param returned run by the executor's threads each time a listener has returned
     */
    public Subscriptions(Executor executor, LongSupplier clock, Runnable returned) {
        this.executor = executor;
        this.clock = clock;
        this.returned = returned;
    }

    /** Adds a listener under a name for people; a listener that is there already is not added again. */
    public void add(TopologyEventListener listener, String name) {
        add(listener, () -> name);
    }

    /** Adds a listener under a name that is asked for each time it is shown, by any thread. */
    public synchronized void add(TopologyEventListener listener, Supplier<String> name) {
        if (subscriptions.stream().noneMatch(known -> known.isFor(listener))) {
            Subscription subscription = new Subscription(listener, name, executor, clock, returned);
            subscriptions.add(subscription);
            ending.removeIf(Subscription::isIdle);
            ending.stream().filter(earlier -> earlier.isFor(listener)).forEach(subscription::startAfter);
            current.ifPresent(subscription::settled);
        }
    }

    /** Removes a listener. No call to it starts after this returned; nobody waits for it any more. */
    public void remove(TopologyEventListener listener) {
        Optional<Subscription> removed = detach(listener);
        removed.ifPresent(Subscription::close);
        if (removed.isPresent()) {
            returned.run();
        }
    }

    private synchronized Optional<Subscription> detach(TopologyEventListener listener) {
        Optional<Subscription> found =
                subscriptions.stream().filter(known -> known.isFor(listener)).findFirst();
        found.ifPresent(subscriptions::remove);
        found.ifPresent(ending::add);
        return found;
    }

    /** Removes all listeners. */
    public void close() {
        List<Subscription> all;
        synchronized (this) {
            all = List.copyOf(subscriptions);
            subscriptions.clear();
            current = Optional.empty();
        }
        all.forEach(Subscription::close);
    }

    /** No view is current any more. */
    public synchronized void changing() {
        current = Optional.empty();
        subscriptions.forEach(Subscription::changing);
    }

    /** That view is current. */
    public synchronized void settled(TopologyView view) {
        current = Optional.of(view);
        subscriptions.forEach(subscription -> subscription.settled(view));
    }

    /** Calls listeners that could not be called when something happened, because no thread was to be had. */
    public void retry() {
        subscriptions.forEach(Subscription::retry);
    }

    /** Returns the names of the listeners that act on a view, or have not returned from the last call. */
    public List<String> acting() {
        return subscriptions.stream()
                .filter(Subscription::actsOnView)
                .map(Subscription::name)
                .toList();
    }

    /** Returns how each listener is doing. */
    public List<Status> status() {
        return subscriptions.stream()
                .map(each -> new Status(each.name(), each.pending(), each.busyMillis()))
                .toList();
    }

    /**
     * How a listener is doing.
     *
     * @param name its name
     * @param pending events owed to it, the one it is busy with included
     * @param busyMillis for how long it has been busy with one event, 0 when idle
     */
    public record Status(String name, int pending, long busyMillis) {}
}
