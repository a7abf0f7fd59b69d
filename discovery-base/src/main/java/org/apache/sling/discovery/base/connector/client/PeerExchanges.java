// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.client;

import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.base.connector.wire.Message;

/**
 * Exchanges of a request and a reply with peers. The methods do not block. The futures complete within a limit and never with an
 * exception; one that is cancelled ends its exchange.
 */
public interface PeerExchanges {

    /**
     * Sends a message.
     *
     * @param url the configured URL
     */
    CompletableFuture<Result> ping(URI url, Message message);

    /** Tells the peer to drop the announcement of this instance. The result has no reply. */
    CompletableFuture<Result> disconnect(URI url);

    /**
     * How an exchange ended.
     *
     * @param reply the message of the peer; empty after a failure and after a disconnection
     * @param failure what went wrong and what to check, sentences without credentials; empty after a success
     * @param bytesSent the bytes of bodies as transferred
     * @param bytesReceived the bytes of bodies as transferred
     */
    record Result(Optional<Message> reply, Optional<String> failure, long bytesSent, long bytesReceived) {

        /** Makes the result of an exchange that failed before anything was transferred. */
        public static Result failed(String sentence) {
            return new Result(Optional.empty(), Optional.of(sentence), 0, 0);
        }
    }
}
