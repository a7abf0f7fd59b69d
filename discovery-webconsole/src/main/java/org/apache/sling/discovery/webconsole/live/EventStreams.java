// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.live;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.sling.discovery.commons.report.Reporter;

/**
 * All open streams, and the one thread that writes to them, which lives as long as there are any. Changes that follow each other
 * quickly are told as one. May be used from any thread.
 */
@ThreadsAndClocks
public final class EventStreams {
    /** More pages than that ask for themselves from time to time instead. */
    public static final int MOST = 200;

    private static final long TOGETHER_MILLIS = 250;
    private static final long HEARTBEAT_MILLIS = 15_000;

    private final long togetherMillis;
    private final long heartbeatMillis;
    private final AtomicBoolean due = new AtomicBoolean();
    private final Set<EventStream> open = new LinkedHashSet<>();
    private volatile ScheduledThreadPoolExecutor thread;
    private volatile Reporter reporter;
    private Reporter.Watch watch;
    private boolean closed;

    public EventStreams() {
        this(TOGETHER_MILLIS, HEARTBEAT_MILLIS);
    }

    EventStreams(long togetherMillis, long heartbeatMillis) {
        this.togetherMillis = togetherMillis;
        this.heartbeatMillis = heartbeatMillis;
    }

    /** Whether another stream would find a place. */
    public synchronized boolean hasRoom() {
        return open.size() < MOST;
    }

    /** Returns how many there are. */
    synchronized int size() {
        return open.size();
    }

    /** Takes in a stream, which is to begin after that. */
    public void add(EventStream stream) {
        if (!takes(stream)) {
            stream.end();
        }
    }

    private synchronized boolean takes(EventStream stream) {
        if (closed) {
            return false;
        }
        open.add(stream);
        if (thread == null) {
            thread = started();
            watch();
        }
        return true;
    }

    /** Forgets a stream that is over. */
    public synchronized void remove(EventStream stream) {
        if (open.remove(stream) && open.isEmpty()) {
            stop();
        }
    }

    /** Has nobody tell the revisions any more, if it is still that one who does. */
    public synchronized void forget(Reporter gone) {
        if (reporter == gone) {
            reporter(null);
        }
    }

    /** @param next tells the revisions from now on; null when there is nobody who does */
    public synchronized void reporter(Reporter next) {
        reporter = next;
        unwatch();
        if (thread != null) {
            watch();
            changed();
        }
    }

    /** Ends all streams, and each that comes later. */
    public void close() {
        List<EventStream> streams;
        synchronized (this) {
            closed = true;
            streams = new ArrayList<>(open);
            open.clear();
            stop();
        }
        streams.forEach(EventStream::end);
    }

    /** Returns the revision to begin with. */
    public long revision() {
        Reporter present = reporter;
        return present == null ? 0 : present.report().revision();
    }

    private ScheduledThreadPoolExecutor started() {
        ScheduledThreadPoolExecutor made = new ScheduledThreadPoolExecutor(1, task -> {
            Thread daemon = new Thread(task, "discovery-webconsole");
            daemon.setDaemon(true);
            return daemon;
        });
        // What is due when the last page has gone interests nobody, and a change that comes later has nobody to tell.
        made.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        made.setRejectedExecutionHandler((task, executor) -> due.set(false));
        made.scheduleWithFixedDelay(this::beat, heartbeatMillis, heartbeatMillis, TimeUnit.MILLISECONDS);
        return made;
    }

    private void stop() {
        unwatch();
        if (thread != null) {
            thread.shutdown();
            thread = null;
        }
        due.set(false);
    }

    private void watch() {
        if (reporter != null) {
            watch = reporter.watch(this::changed);
        }
    }

    private void unwatch() {
        if (watch != null) {
            watch.close();
            watch = null;
        }
    }

    /** Called by the thread that decides, so it only notes that there is something to tell. */
    private void changed() {
        ScheduledThreadPoolExecutor present = thread;
        if (present != null && due.compareAndSet(false, true)) {
            present.schedule(this::tell, togetherMillis, TimeUnit.MILLISECONDS);
        }
    }

    private void tell() {
        due.set(false);
        long revision = revision();
        each(stream -> stream.tell(revision));
    }

    private void beat() {
        each(EventStream::heartbeat);
    }

    private void each(Predicate<EventStream> write) {
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
