// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.endpoint;

import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.report.ConnectorReport.Refusal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests that were refused. Each sender is logged once within a window of time for each status, and all senders together a
 * limited number of times, because every sender can cause refusals.
 */
final class Refusals {

    static final int MAX_SHOWN = 100;
    static final int MAX_LINES = 100;
    static final long WINDOW_MILLIS = 600_000;

    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

    private final Time time;

    /** By sender and status, the one that was refused last at the end. */
    private final Map<List<Object>, Entry> entries = new LinkedHashMap<>();

    private long windowEnd = Long.MIN_VALUE;
    private int lines;

    Refusals(Time time) {
        this.time = time;
    }

    /**
     * Counts a refusal, and logs it if it is the first one within a window.
     *
     * @param sender the network address of the sender
     * @param status the status of the reply
     * @param reason why, for display
     * @return whether it was logged
     */
    synchronized boolean add(String sender, int status, String reason) {
        long now = time.monotonic().getAsLong();
        long wall = time.wall().getAsLong();
        Entry before = entries.remove(List.of(sender, status));
        boolean news = before == null || now - before.loggedAt >= WINDOW_MILLIS;
        Refusal shown = before == null
                ? new Refusal(sender, status, reason, 1, wall, wall)
                : new Refusal(sender, status, reason, before.shown.count() + 1, before.shown.firstMillis(), wall);
        entries.put(List.of(sender, status), new Entry(shown, news ? now : before.loggedAt));
        if (entries.size() > MAX_SHOWN) {
            entries.remove(entries.keySet().iterator().next());
        }
        return news && log(shown, now);
    }

    private boolean log(Refusal refusal, long now) {
        if (now >= windowEnd) {
            windowEnd = now + WINDOW_MILLIS;
            lines = 0;
        }
        lines++;
        if (lines <= MAX_LINES) {
            LOG.warn(
                    "Refused a request of a topology connector from {} with status {}: {}. Further ones of this sender with"
                            + " this status are counted and not logged for 10 minutes",
                    refusal.sender(),
                    refusal.status(),
                    refusal.reason());
        } else if (lines == MAX_LINES + 1) {
            LOG.warn("Requests of topology connectors from more senders are refused, counted and not logged");
        }
        return lines <= MAX_LINES;
    }

    /** Returns the refusals that are remembered, the last one first. */
    synchronized List<Refusal> shown() {
        List<Refusal> all = new ArrayList<>();
        entries.values().forEach(each -> all.add(each.shown));
        Collections.reverse(all);
        return all;
    }

    private record Entry(Refusal shown, long loggedAt) {}
}
