// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.ViewHead;
import java.util.List;

/**
 * The views of the local cluster as the store remembers them: the same on every instance, and older than this process. Times
 * are wall-clock milliseconds since 1970, by the clock of the publisher.
 *
 * @param entries the views, newest first; bounded by the store
 * @param problems what could not be read, a sentence each
 */
public record History(List<Entry> entries, List<String> problems) {

    /** Nothing has been read yet. */
    public static final History UNREAD = new History(List.of(), List.of());

    public History {
        entries = List.copyOf(entries);
        problems = List.copyOf(problems);
    }

    /**
     * An established view, and what led to it.
     *
     * @param stored what the store keeps of it
     * @param members its members, in order; the first one leads. Empty when they are not known, because the store keeps only what
     *     changed, and an entry between this view and the present one is missing
     */
    public record Entry(HistoryEntry stored, List<Incarnation> members) {
        public Entry {
            members = List.copyOf(members);
        }

        public ViewHead head() {
            return stored.difference().head();
        }

        public long number() {
            return head().number();
        }

        /** Returns the instance id of the leader. */
        public String leader() {
            return stored.difference().leader();
        }
    }
}
