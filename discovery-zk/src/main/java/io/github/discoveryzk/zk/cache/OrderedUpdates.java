// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.cache;

import io.github.discoveryzk.zk.client.Failure;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Applies updates in the order in which the server reported them, although some must be read first, and notifies the observer when the
 * cache is consistent. Replies count after the updates that came before them and after the notification of these. An update whose read got
 * no reply keeps its place until {@link #clear}: the connection is lost. Whatever an action throws, those behind it run all the same.
 */
public final class OrderedUpdates {
    private final Deque<Update> updates = new ArrayDeque<>();
    private final Deque<Runnable> replies = new ArrayDeque<>();
    private final Executor thread;
    private final Runnable notification;
    private final Consumer<Throwable> failed;
    private Update lastAhead;
    private boolean running;
    private boolean changed;
    private boolean heldForEvents;
    private int holds;

    /**
     * Creates one without updates.
     *
     * @param notification notifies the observer of the present state
     * @param failed called instead of an update whose read has failed, and after an action that has failed itself
     */
    OrderedUpdates(Executor thread, Runnable notification, Consumer<Throwable> failed) {
        this.thread = thread;
        this.notification = notification;
        this.failed = failed;
    }

    /** Returns the place after all that was reported until now. */
    Update reserve() {
        Update update = new Update();
        updates.add(update);
        return update;
    }

    /** Applies what is being read, after all updates that were reported before. */
    <T> void add(CompletableFuture<T> read, Consumer<T> action) {
        whenRead(read, (update, value) -> update.fill(() -> action.accept(value)));
    }

    /** Applies what is being read, which may be later than what was reported behind it. */
    <T> void addAhead(CompletableFuture<T> read, Consumer<T> action) {
        lastAhead = whenRead(read, (update, value) -> update.fillAhead(() -> action.accept(value)));
    }

    /** Returns whether an update of {@link #addAhead} is still to be applied. */
    boolean isAheadPending() {
        return lastAhead != null && lastAhead.isPending();
    }

    private <T> Update whenRead(CompletableFuture<T> read, BiConsumer<Update, T> fill) {
        Update update = reserve();
        read.whenComplete((value, thrown) -> {
            if (thrown == null) {
                fill.accept(update, value);
            } else if (!Failure.of(thrown).isUnknown()) {
                update.fill(() -> failed.accept(Failure.of(thrown)));
            }
        });
        return update;
    }

    /** Runs an action after the observer was notified of all that was reported until now. */
    public void afterUpdates(Runnable action) {
        reserve().fill(() -> replies.add(action));
    }

    /** Notifies the observer, immediately or when the notification is no longer held. */
    public void notifyObserver() {
        changed = true;
        notifyIfConsistent();
    }

    /** Holds notifications, and the replies after them, until {@link #release}. */
    void hold() {
        holds++;
    }

    /** Ends a {@link #hold}, unless {@link #clear} has ended it. */
    void release() {
        holds = Math.max(0, holds - 1);
        deliver();
    }

    /** Runs what fills several updates; the observer is notified once, after the last of them. */
    void applyTogether(Runnable several) {
        hold();
        try {
            several.run();
        } finally {
            release();
        }
    }

    /** Events that wait for the thread together, as all acknowledgements of a view do, cause one notification. */
    void holdForEvents() {
        if (!heldForEvents) {
            heldForEvents = true;
            hold();
            thread.execute(() -> {
                if (heldForEvents) {
                    heldForEvents = false;
                    release();
                }
            });
        }
    }

    /** Discards all that waits. */
    void clear() {
        updates.clear();
        replies.clear();
        changed = false;
        heldForEvents = false;
        holds = 0;
    }

    private void applyFilled() {
        if (!running) {
            running = true;
            while (!updates.isEmpty() && updates.peek().action != null) {
                run(updates.poll().action);
                deliver();
            }
            running = false;
        }
    }

    private void notifyIfConsistent() {
        if (holds == 0 && changed) {
            changed = false;
            run(notification);
        }
    }

    private void deliver() {
        notifyIfConsistent();
        while (holds == 0 && !replies.isEmpty()) {
            run(replies.poll());
        }
    }

    private void run(Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            failed.accept(e);
        }
    }

    /** An update in its place. */
    final class Update {
        private Runnable action;

        private Update() {}

        /** Returns whether the update is still to be applied; false after {@link #clear}. */
        boolean isPending() {
            return updates.contains(this);
        }

        /** Sets what is applied when all updates before have been. */
        void fill(Runnable what) {
            action = what;
            applyFilled();
        }

        /** Sets what is applied, and holds the notification until all updates have been that were reported until now. */
        void fillAhead(Runnable what) {
            if (isPending()) {
                reserve().fill(OrderedUpdates.this::release);
                fill(() -> {
                    hold();
                    what.run();
                });
            }
        }
    }
}
