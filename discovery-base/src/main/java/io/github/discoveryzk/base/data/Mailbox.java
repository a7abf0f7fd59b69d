// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.data;

import io.github.discoveryzk.data.Registration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls a listener with the newest of what it is given, one call at a time. Thread-safe; no lock is held during a call. */
final class Mailbox<C> implements Registration {

    private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);

    private final Consumer<? super C> listener;
    private final Executor executor;
    private Optional<C> next = Optional.empty();
    private boolean busy;
    private boolean closed;

    Mailbox(Consumer<? super C> listener, Executor executor) {
        this.listener = listener;
        this.executor = executor;
    }

    /** Gives the listener what is newest now, in place of what it has not been called with. */
    void put(C newest) {
        synchronized (this) {
            next = Optional.of(newest);
            if (busy || closed) {
                return;
            }
            busy = true;
        }
        executor.execute(this::deliver);
    }

    private void deliver() {
        for (Optional<C> taken = take(); taken.isPresent(); taken = take()) {
            try {
                listener.accept(taken.get());
            } catch (Throwable e) { // An Error of one listener must not affect others.
                LOG.error(
                        "Listener {} of shared data failed; it stays",
                        listener.getClass().getName(),
                        e);
            }
        }
    }

    private synchronized Optional<C> take() {
        Optional<C> taken = closed ? Optional.empty() : next;
        next = Optional.empty();
        busy = taken.isPresent();
        return taken;
    }

    @Override
    public synchronized void close() {
        closed = true;
    }
}
