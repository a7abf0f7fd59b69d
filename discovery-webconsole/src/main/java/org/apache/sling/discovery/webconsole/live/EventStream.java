// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.live;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * One browser that is told revisions as server-sent events. Writing never waits for the browser: of what it does not take in time
 * only the newest is kept. May be used from any thread.
 */
public final class EventStream implements WriteListener, AsyncListener {
    private static final String HEARTBEAT = ":\n\n";

    /** So many heartbeats in a row that cannot be sent mean that nobody is there any more. */
    private static final int MOST_MISSED = 2;

    private final AsyncContext async;
    private final ServletOutputStream out;
    private final Consumer<EventStream> onEnd;
    private String pending = "";
    private int missed;
    private boolean writable;
    private boolean ended;

    /** @param onEnd told once the stream is over, however it ended; it may be told again */
    public EventStream(AsyncContext async, ServletOutputStream out, Consumer<EventStream> onEnd) {
        this.async = async;
        this.out = out;
        this.onEnd = onEnd;
    }

    /** Begins to write as soon as the container can, unless it is over already. */
    public void start(long revision) {
        synchronized (this) {
            if (ended) {
                return;
            }
            // A later one may have been told already.
            pending = "retry: 3000\n" + (pending.isEmpty() ? event(revision) : pending);
        }
        async.addListener(this);
        out.setWriteListener(this);
    }

    /** Tells a revision; returns false when the stream is over. */
    synchronized boolean send(long revision) {
        pending = event(revision);
        return write();
    }

    /** Keeps the connection alive, and finds out whether it is; returns false when it is not. */
    synchronized boolean sendHeartbeat() {
        if (!pending.isEmpty()) {
            missed++;
        } else {
            pending = HEARTBEAT;
        }
        return missed <= MOST_MISSED && write();
    }

    /** Ends the stream. */
    void end() {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
        }
        try {
            async.complete();
        } catch (RuntimeException e) {
            // The container has completed the request already.
        }
    }

    @Override
    public synchronized void onWritePossible() {
        writable = true;
        write();
    }

    @Override
    public void onError(Throwable failure) {
        end();
        onEnd.accept(this);
    }

    @Override
    public void onComplete(AsyncEvent event) {
        markEnded();
    }

    @Override
    public void onError(AsyncEvent event) {
        end();
        onEnd.accept(this);
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        end();
        onEnd.accept(this);
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // This never starts again.
    }

    private void markEnded() {
        synchronized (this) {
            ended = true;
        }
        onEnd.accept(this);
    }

    private boolean write() {
        if (ended) {
            return false;
        }
        try {
            if (writable && !pending.isEmpty() && out.isReady()) {
                out.write(pending.getBytes(StandardCharsets.UTF_8));
                pending = "";
                missed = 0;
                if (out.isReady()) {
                    out.flush();
                }
            }
            return true;
        } catch (IOException
                | RuntimeException e) { // A container may throw anything once it has taken the answer back.
            return false;
        }
    }

    private static String event(long revision) {
        return "id: " + revision + "\ndata: " + revision + "\n\n";
    }
}
