// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.util.List;
import java.util.Optional;

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
     * @param number its number
     * @param previous the number of the view before, 0 for none
     * @param token the fencing token of its leadership
     * @param leaderSinceMillis since when that leader leads
     * @param publishedMillis when it was published
     * @param changingMillis how long the publisher had been CHANGING
     * @param publisher the instance id of the publisher
     * @param leader the instance id of the leader
     * @param size how many members it has
     * @param members its members, in order; the first one leads. Empty when they cannot be told, because the store keeps only what
     *     changed, and an entry between this view and the present one is missing
     * @param joined the members that were not in the previous view
     * @param left the members of the previous view that left or were removed
     * @param leftOut the members that did not acknowledge in time, with the slow listener where it is known, a text each
     * @param cause the whole change in words
     */
    public record Entry(
            long number,
            long previous,
            long token,
            long leaderSinceMillis,
            long publishedMillis,
            long changingMillis,
            String publisher,
            String leader,
            int size,
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
     * One incarnation of an instance: each announcement creates another node.
     *
     * @param id the instance id
     * @param node the name of its member node
     */
    public record Participant(String id, String node) {}

    /**
     * A member that left.
     *
     * @param who the member
     * @param kind how it left, such as {@code stopped} or {@code evicted}; empty when only its session ended
     * @param by the id of the instance that removed it, if it was another one
     * @param words the departure as a clause
     */
    public record Departed(Participant who, Optional<String> kind, Optional<String> by, String words) {}
}
