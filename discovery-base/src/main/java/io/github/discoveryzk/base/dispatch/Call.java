// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.dispatch;

import java.util.concurrent.CompletableFuture;

/** One call of a listener, from when it is handed to the executor until the listener has returned. Thread-safe. */
final class Call {

    private final Dispatcher dispatcher;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private volatile Thread thread;
    private volatile long since;

    Call(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
        this.since = dispatcher.now();
    }

    /** To be called by the thread that is about to call the listener. */
    void begin() {
        since = dispatcher.now();
        thread = Thread.currentThread();
    }

    boolean hasBegun() {
        return thread != null;
    }

    boolean isOnThisThread() {
        return thread == Thread.currentThread();
    }

    boolean isOf(Dispatcher other) {
        return dispatcher == other;
    }

    /** Returns how long the call has run or has waited for a thread, in milliseconds. */
    long millis() {
        return Math.max(0, dispatcher.now() - since);
    }

    /** Completes, never exceptionally, when the listener can be called again. */
    CompletableFuture<Void> end() {
        return end;
    }
}
