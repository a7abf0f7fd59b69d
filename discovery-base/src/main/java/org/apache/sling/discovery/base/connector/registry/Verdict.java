// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

/**
 * What the reply to a ping of this instance means.
 *
 * @param kind whether the announcement is registered
 * @param sentence the reason in words
 * @param backoffSeconds how long the peer asks to wait before the next ping; 0 for no longer than usual
 * @param expiresAt until when the announcement is registered, in monotonic milliseconds
 */
public record Verdict(Kind kind, String sentence, long backoffSeconds, long expiresAt) {

    /** The kinds of verdicts. */
    public enum Kind {
        /** The announcement is registered. */
        ACCEPTED,
        /** The announcement is not registered: the peer or this side knows the other in another way. */
        LOOP,
        /** The reply is from this instance itself. */
        OWN
    }
}
