// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.client;

import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.base.connector.wire.Announcement;

/**
 * Exchanges of a request and a reply with peers. The methods do not block. The futures complete within a limit and never with an
 * exception; one that is cancelled ends its exchange.
 */
public interface PeerExchanges {

    /**
     * Sends an announcement.
     *
     * @param url the configured URL
     */
    CompletableFuture<Result> ping(URI url, Announcement announcement);

    /** Tells the peer to drop the announcement of this instance. The result has no reply. */
    CompletableFuture<Result> disconnect(URI url);

    /**
     * How an exchange ended.
     *
     * @param reply the announcement of the peer; empty after a failure and after a disconnection
     * @param failure what went wrong and what to check, sentences without credentials; empty after a success
     * @param bytesSent the bytes of bodies as transferred
     * @param bytesReceived the bytes of bodies as transferred
     */
    record Result(Optional<Announcement> reply, Optional<String> failure, long bytesSent, long bytesReceived) {

        static Result unexpected(Throwable error) {
            return new Result(Optional.empty(), Optional.of("The exchange failed unexpectedly: " + error + "."), 0, 0);
        }
    }
}
