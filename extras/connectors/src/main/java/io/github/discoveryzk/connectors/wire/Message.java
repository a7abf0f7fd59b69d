// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.wire;

import java.util.Optional;

/**
 * What one side of a connector sends to the other: an announcement, and what is about the message itself. A loop message is the reply of a
 * server that declines to connect, and has nothing but its owner and the back-off.
 *
 * @param ownerId the id of the instance that sends it
 * @param announcement the announcement, of the same owner; empty in a loop message
 * @param created when it was written, in milliseconds since 1970 by the clock of its writer. No decision may depend on it
 * @param backoffSeconds how long the client shall wait before the next ping; 0 when nothing is said
 * @param resetBackoff whether the server shall begin its back-off again
 */
public record Message(
        String ownerId, Optional<Announcement> announcement, long created, long backoffSeconds, boolean resetBackoff) {

    /** A back-off of a peer that is longer is cut to this. */
    public static final long MAX_BACKOFF_SECONDS = 86_400;

    /**
     * Checks the owner.
     *
     * @throws IllegalArgumentException when it has other characters than ids have
     */
    public Message {
        Announcement.requireLegal("owner id", ownerId);
    }

    /** Makes a message that has nothing but an announcement. */
    public static Message of(Announcement announcement, long created) {
        return new Message(announcement.ownerId(), Optional.of(announcement), created, 0, false);
    }

    /** Makes a loop message. */
    public static Message loop(String ownerId, long created, long backoffSeconds) {
        return new Message(ownerId, Optional.empty(), created, backoffSeconds, false);
    }

    /** Says whether this is a loop message. */
    public boolean loop() {
        return announcement.isEmpty();
    }

    /** Returns this message with another announcement. */
    public Message with(Announcement other) {
        return new Message(ownerId, Optional.of(other), created, backoffSeconds, resetBackoff);
    }

    /** Returns this message with another time of creation. */
    public Message createdAt(long time) {
        return new Message(ownerId, announcement, time, backoffSeconds, resetBackoff);
    }

    /** Returns this message with that back-off; 0 for none. */
    public Message withBackoff(long seconds) {
        return new Message(ownerId, announcement, created, seconds, resetBackoff);
    }

    /** Returns this message with or without the demand that the server begin its back-off again. */
    public Message withResetBackoff(boolean reset) {
        return new Message(ownerId, announcement, created, backoffSeconds, reset);
    }
}
