// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.live;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.apache.sling.discovery.webconsole.exchange.Connection;

/**
 * The connection to one page, which receives revisions as server-sent events. A write never waits for the browser: if
 * the browser is slow, only the newest event is kept. May be used from any thread.
 */
final class EventStream implements Connection.Listener {
    private static final String HEARTBEAT = ":\n\n";

    /** The number of consecutive heartbeats that may remain unsent before the connection is considered lost. */
    private static final int MOST_MISSED = 2;

    private final Connection connection;
    private final Consumer<EventStream> onEnd;
    private String pending = "";
    private int missed;
    private boolean writable;
    private boolean ended;

    /** @param onEnd called when the stream has ended for any reason; it may be called more than once */
    EventStream(Connection connection, Consumer<EventStream> onEnd) {
        this.connection = connection;
        this.onEnd = onEnd;
    }

    /** Starts to write as soon as the container is ready, unless the stream has ended. */
    void start(long revision) {
        synchronized (this) {
            if (ended) {
                return;
            }
            // A later revision may be pending already.
            pending = "retry: 3000\n" + (pending.isEmpty() ? event(revision) : pending);
        }
        connection.start(this);
    }

    /** Sends a revision. Returns false if the stream has ended. */
    synchronized boolean send(long revision) {
        pending = event(revision);
        return write();
    }

    /** Sends a comment, which keeps the connection open. Returns false if the connection is lost. */
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
            connection.complete();
        } catch (RuntimeException e) {
            // The container has completed the request already.
        }
    }

    @Override
    public synchronized void writable() {
        writable = true;
        write();
    }

    @Override
    public void failed() {
        end();
        onEnd.accept(this);
    }

    @Override
    public void completed() {
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
            if (writable && !pending.isEmpty() && connection.isReady()) {
                connection.write(pending.getBytes(StandardCharsets.UTF_8));
                pending = "";
                missed = 0;
                if (connection.isReady()) {
                    connection.flush();
                }
            }
            return true;
        } catch (IOException
                | RuntimeException e) { // A container may throw any exception after it has recycled the response.
            return false;
        }
    }

    private static String event(long revision) {
        return "id: " + revision + "\ndata: " + revision + "\n\n";
    }
}
