// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.live;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.sling.discovery.commons.report.Reporter;
import org.apache.sling.discovery.webconsole.exchange.Connection;
import org.apache.sling.discovery.webconsole.exchange.Methods;
import org.apache.sling.discovery.webconsole.exchange.Request;
import org.apache.sling.discovery.webconsole.exchange.Response;

/**
 * All open streams, and the one thread that writes to them. The thread runs only while a stream is open. Changes in
 * quick succession are sent as one event. May be used from any thread.
 */
@ThreadsAndClocks
public final class EventStreams {
    /** The greatest number of streams; further pages poll instead. */
    static final int MOST_STREAMS = 200;

    private static final long DELAY_MILLIS = 250;
    private static final long HEARTBEAT_MILLIS = 15_000;

    private final long delayMillis;
    private final long heartbeatMillis;
    private final AtomicBoolean sendingScheduled = new AtomicBoolean();
    private final Set<EventStream> open = new LinkedHashSet<>();
    private volatile ScheduledThreadPoolExecutor thread;
    private volatile Reporter reporter;
    private Reporter.Watch watch;
    private boolean closed;

    public EventStreams() {
        this(DELAY_MILLIS, HEARTBEAT_MILLIS);
    }

    EventStreams(long delayMillis, long heartbeatMillis) {
        this.delayMillis = delayMillis;
        this.heartbeatMillis = heartbeatMillis;
    }

    /** Answers a request for the events. Without room for a further stream the answer tells when to repeat the request. */
    public void answer(Request request, Response response) throws IOException {
        if (!Methods.accept(request, response, "GET")) {
            return;
        }
        if (!hasRoom()) {
            response.setHeader("Retry-After", "60");
            response.sendError(503);
        } else {
            // Without this header nginx buffers the answer.
            response.setHeader("X-Accel-Buffering", "no");
            Optional<Connection> connection = response.open("text/event-stream;charset=utf-8");
            if (connection.isEmpty()) {
                // The page asks for changes instead.
                response.sendError(501);
            } else {
                open(connection.get());
            }
        }
    }

    private void open(Connection connection) {
        EventStream stream = new EventStream(connection, this::remove);
        add(stream);
        stream.start(currentRevision());
    }

    /** Returns whether another stream can be added. */
    synchronized boolean hasRoom() {
        return open.size() < MOST_STREAMS;
    }

    /** Returns the number of open streams. */
    synchronized int size() {
        return open.size();
    }

    /** Adds a stream, which the caller starts afterwards. */
    void add(EventStream stream) {
        if (!register(stream)) {
            stream.end();
        }
    }

    private synchronized boolean register(EventStream stream) {
        if (closed) {
            return false;
        }
        open.add(stream);
        if (thread == null) {
            thread = startThread();
            startWatching();
        }
        return true;
    }

    /** Removes a stream that has ended. */
    synchronized void remove(EventStream stream) {
        if (open.remove(stream) && open.isEmpty()) {
            stopThread();
        }
    }

    /** Removes the reporter, unless another one has replaced it. */
    public synchronized void removeReporter(Reporter gone) {
        if (reporter == gone) {
            setReporter(null);
        }
    }

    /**
     * Sets the reporter whose revisions are sent.
     *
     * @param next null when there is none
     */
    public synchronized void setReporter(Reporter next) {
        reporter = next;
        stopWatching();
        if (thread != null) {
            startWatching();
            scheduleSending();
        }
    }

    /** Ends all streams, and each stream that is added later. */
    public void close() {
        List<EventStream> streams;
        synchronized (this) {
            closed = true;
            streams = new ArrayList<>(open);
            open.clear();
            stopThread();
        }
        streams.forEach(EventStream::end);
    }

    /** Returns the first revision of a new stream. */
    long currentRevision() {
        Reporter present = reporter;
        return present == null ? 0 : present.report().revision();
    }

    private ScheduledThreadPoolExecutor startThread() {
        ScheduledThreadPoolExecutor made = new ScheduledThreadPoolExecutor(1, task -> {
            Thread daemon = new Thread(task, "discovery-webconsole");
            daemon.setDaemon(true);
            return daemon;
        });
        // Without an open page neither a scheduled event nor a later change has a receiver.
        made.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        made.setRejectedExecutionHandler((task, executor) -> sendingScheduled.set(false));
        made.scheduleWithFixedDelay(this::sendHeartbeats, heartbeatMillis, heartbeatMillis, TimeUnit.MILLISECONDS);
        return made;
    }

    private void stopThread() {
        stopWatching();
        if (thread != null) {
            thread.shutdown();
            thread = null;
        }
        sendingScheduled.set(false);
    }

    private void startWatching() {
        if (reporter != null) {
            watch = reporter.watch(this::scheduleSending);
        }
    }

    private void stopWatching() {
        if (watch != null) {
            watch.close();
            watch = null;
        }
    }

    /** Called by the decision thread, so this method must not block: it only schedules the event. */
    private void scheduleSending() {
        ScheduledThreadPoolExecutor present = thread;
        if (present != null && sendingScheduled.compareAndSet(false, true)) {
            present.schedule(this::sendRevision, delayMillis, TimeUnit.MILLISECONDS);
        }
    }

    private void sendRevision() {
        sendingScheduled.set(false);
        long revision = currentRevision();
        forEach(stream -> stream.send(revision));
    }

    private void sendHeartbeats() {
        forEach(EventStream::sendHeartbeat);
    }

    private void forEach(Predicate<EventStream> write) {
        List<EventStream> streams;
        synchronized (this) {
            streams = new ArrayList<>(open);
        }
        for (EventStream stream : streams) {
            if (!write.test(stream)) {
                stream.end();
                remove(stream);
            }
        }
    }
}
