// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import java.util.Optional;
import org.apache.sling.discovery.base.connector.wire.Announcement;

/**
 * What connectors of this instance say to peers and what they hear from them. All methods may be called from any thread and do not
 * block.
 */
public interface ConnectorContent {

    /**
     * Returns the message of a ping, without what the same connector brought; empty while there is nothing to say because the local view is
     * not current.
     *
     * @param connector the connector that pings
     * @param resetBackoff see {@link Announcement}
     */
    Optional<Announcement> ping(String connector, boolean resetBackoff);

    /**
     * Takes the reply of a peer to a ping of that connector and says what it means. Replaces what the connector inherited before.
     */
    Verdict replied(String connector, Announcement reply);

    /** Forgets what that connector inherited, because it ended or the announcement expired. */
    void forget(String connector);

    /**
     * What a reply means.
     *
     * @param kind whether the announcement is registered
     * @param sentence the reason in words
     * @param backoffSeconds how long the peer asks to wait before the next ping; 0 for no longer than usual
     * @param expiresAt until when the announcement is registered, in monotonic milliseconds
     */
    record Verdict(Kind kind, String sentence, long backoffSeconds, long expiresAt) {
        public enum Kind {
            /** The announcement is registered. */
            ACCEPTED,
            /** The announcement is not registered: the peer or this side knows the other in another way. */
            LOOP,
            /** The reply is from this instance itself. */
            OWN
        }
    }
}
