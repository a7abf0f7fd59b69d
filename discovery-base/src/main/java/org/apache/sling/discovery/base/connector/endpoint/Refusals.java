// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.endpoint;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.commons.report.ConnectorReport.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests that were refused. Each sender is logged once within a window of time for each status, and all senders together a
 * limited number of times, because every sender can cause refusals.
 */
public final class Refusals {

    static final int MAX_SHOWN = 100;
    static final int MAX_LINES = 100;
    static final long WINDOW_MILLIS = 600_000;

    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

    private final Time time;

    /** By sender and status, the one that was refused last at the end. */
    private final Map<List<Object>, Entry> entries = new LinkedHashMap<>();

    private long windowEnd = Long.MIN_VALUE;
    private int lines;
    private long total;

    public Refusals(Time time) {
        this.time = time;
    }

    /**
     * Counts a refusal, and logs it if it is the first one within a window.
     *
     * @param sender the network address of the sender
     * @param status the status of the reply
     * @param reason why, for display
     */
    void add(String sender, int status, String reason) {
        if (count(sender, status, reason)) {
            LOG.warn(
                    "Refused a request of a topology connector from {} with status {}: {}. Further ones of this sender with"
                            + " this status are counted and not logged for {} minutes",
                    sender,
                    status,
                    reason,
                    WINDOW_MILLIS / 60_000);
        }
    }

    /** Counts a refusal and says whether to log it. */
    synchronized boolean count(String sender, int status, String reason) {
        long now = time.monotonic().getAsLong();
        long wall = time.wall().getAsLong();
        total++;
        List<Object> key = List.of(sender, status);
        Entry before = entries.remove(key);
        boolean news = before == null || now - before.loggedAt >= WINDOW_MILLIS;
        boolean log = news && takeLine(now);
        entries.put(
                key,
                new Entry(
                        new Refusal(
                                sender,
                                status,
                                reason,
                                before == null ? 1 : before.shown.count() + 1,
                                before == null ? wall : before.shown.firstMillis(),
                                wall),
                        news ? now : before.loggedAt));
        if (entries.size() > MAX_SHOWN) {
            entries.remove(entries.keySet().iterator().next());
        }
        return log;
    }

    private boolean takeLine(long now) {
        if (now >= windowEnd) {
            windowEnd = now + WINDOW_MILLIS;
            lines = 0;
        }
        lines++;
        if (lines == MAX_LINES + 1) {
            LOG.warn(
                    "Refused requests of topology connectors from so many senders that further ones are counted and not"
                            + " logged for up to {} minutes",
                    WINDOW_MILLIS / 60_000);
        }
        return lines <= MAX_LINES;
    }

    /** Returns the refusals that are remembered, the last one first. */
    public synchronized List<Refusal> shown() {
        List<Refusal> all = new ArrayList<>();
        entries.values().forEach(each -> all.add(each.shown));
        Collections.reverse(all);
        return all;
    }

    /** Returns how many requests were refused. */
    synchronized long total() {
        return total;
    }

    private record Entry(Refusal shown, long loggedAt) {}
}
