// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import java.util.Optional;
import org.apache.sling.discovery.base.connector.wire.Announcement;

/**
 * What a ping means to the server.
 *
 * @param kind what happened
 * @param sentence the reason in words
 * @param reply the reply to send, empty when there is none
 */
public record PingOutcome(Kind kind, String sentence, Optional<Announcement> reply) {

    static PingOutcome withoutReply(Kind kind, String sentence) {
        return new PingOutcome(kind, sentence, Optional.empty());
    }

    /** The kinds of outcomes. */
    public enum Kind {
        /** The announcement is registered. */
        ACCEPTED,
        /** The announcement is not registered: the sender knows this cluster, or is known, in another way. */
        LOOP,
        /** This instance has no current view to reply with. */
        UNSETTLED,
        /** There are too many incoming connectors, or their announcements are too long. */
        FULL,
        /** The owner is connected from another address, and nothing proves that the sender is the same. */
        ELSEWHERE
    }
}
