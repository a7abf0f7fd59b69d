// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.client;

import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/** What a connector does now. */
sealed interface Activity {

    /** Stands for no time. */
    long NEVER = Long.MAX_VALUE;

    /** Returns the time of the next ping, in monotonic milliseconds. */
    default long nextPing() {
        return NEVER;
    }

    /** Returns what causes the next ping. */
    default Future<?> timer() {
        return CompletableFuture.completedFuture(null);
    }

    /** It waits until the next ping. */
    record Waiting(long nextPing, Future<?> timer) implements Activity {
        static final Waiting FOR_START = new Waiting(NEVER, CompletableFuture.completedFuture(null));
    }

    /**
     * An exchange is under way.
     *
     * @param url the URL that is asked
     * @param fallBacks the URLs that are asked within the same ping if that one fails
     * @param failures why the URLs before it failed
     * @param again whether another ping was demanded meanwhile
     */
    record Asking(
            URI url,
            List<URI> fallBacks,
            List<String> failures,
            CompletableFuture<PeerExchanges.Result> exchange,
            boolean again)
            implements Activity {

        Asking andAgain() {
            return new Asking(url, fallBacks, failures, exchange, true);
        }
    }

    /** It leads back to this instance, and waits for another configuration. */
    record Stopped() implements Activity {}

    /** It has ended. */
    record Closed() implements Activity {}
}
