// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.it.chaos.Recording.Yes;

/**
 * The times in which an instance was certainly a current leader by its own answer. All times are of one clock, that of the
 * machine, and each answer is an interval: the instance was asked at its begin and had answered at its end.
 */
final class Leaderships {

    private Leaderships() {}

    /**
     * Joins the answers of each view object. A view that is not current never becomes current again, so from the end of the
     * first "yes" to the beginning of the last one the answer was "yes" all the time. A single answer gives a span that ends
     * before it begins: it certainly overlaps a span that covers the whole interval, and no other.
     */
    static List<Span> certain(List<Yes> answers) {
        Map<String, Span> spans = new HashMap<>();
        for (Yes yes : answers) {
            String key = yes.process() + " " + yes.object();
            Span known = spans.get(key);
            spans.put(
                    key,
                    known == null
                            ? new Span(yes.process(), yes.after(), yes.before(), yes.view(), yes.token())
                            : new Span(
                                    yes.process(), known.from(), yes.before(), yes.view(), known.either(yes.token())));
        }
        return List.copyOf(spans.values());
    }

    /** A time in which a process certainly was the current leader. */
    record Span(String process, long from, long to, long view, long token) {

        /** Whether the two certainly have a moment in common. */
        boolean overlaps(Span other) {
            return from <= other.to && other.from <= to;
        }

        boolean covers(long begin, long end) {
            return from <= begin && end <= to;
        }

        private long either(long other) {
            return token == 0 ? other : token;
        }
    }
}
