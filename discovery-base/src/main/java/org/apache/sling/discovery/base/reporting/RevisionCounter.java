// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import java.util.List;
import java.util.function.Supplier;

/** Counts the changes of the report: the content is compared when a caller asks for the number. Thread-safe. */
final class RevisionCounter {

    private final Supplier<List<Object>> content;
    private List<Object> shown = List.of();
    private long number;

    /**
     * Creates a counter.
     *
     * @param content what the report shows now; called on any thread, must not block
     */
    RevisionCounter(Supplier<List<Object>> content) {
        this.content = content;
    }

    /** Returns a number above that of the last call if the content has changed since then. */
    synchronized long number() {
        List<Object> now = content.get();
        if (!now.equals(shown)) {
            shown = now;
            number++;
        }
        return number;
    }
}
