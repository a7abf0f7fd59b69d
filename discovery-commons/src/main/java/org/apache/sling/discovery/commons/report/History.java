// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.util.List;
import java.util.Optional;

/**
 * The views of the local cluster as the store remembers them: the same on every instance, and from before this process was
 * started. Times are wall-clock milliseconds since 1970, of whoever published.
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
     * A view that was established, and how it came to be.
     *
     * @param number its number
     * @param previous the number of the view before, 0 for none
     * @param token the fencing token of its leadership
     * @param leaderSinceMillis since when that leader leads
     * @param publishedMillis when it was published
     * @param changingMillis how long the publisher had been CHANGING
     * @param publisher the instance id of the publisher
     * @param members its members, in order; the first one leads
     * @param joined those of them who were not in the view before
     * @param left who was in the view before and is not any more, because it went or was made to go
     * @param leftOut who was waited for in vain, with the listener at fault where it is known, a text each
     * @param cause all that in words
     */
    public record Entry(
            long number,
            long previous,
            long token,
            long leaderSinceMillis,
            long publishedMillis,
            long changingMillis,
            String publisher,
            List<Participant> members,
            List<Participant> joined,
            List<Departed> left,
            List<String> leftOut,
            String cause) {
        public Entry {
            members = List.copyOf(members);
            joined = List.copyOf(joined);
            left = List.copyOf(left);
            leftOut = List.copyOf(leftOut);
        }
    }

    /**
     * One life of an instance: each announcement makes another node.
     *
     * @param id the instance id
     * @param node the name of its member node
     */
    public record Participant(String id, String node) {}

    /**
     * Somebody who left.
     *
     * @param who whose life ended
     * @param kind how, such as {@code stopped} or {@code evicted}; empty when only its session ended
     * @param by who saw to it, when it was another instance
     * @param words all that as a clause
     */
    public record Departed(Participant who, Optional<String> kind, Optional<String> by, String words) {}
}
