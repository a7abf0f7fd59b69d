// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.client;

import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The end of a connector: its peers are told to drop the announcement of this instance.
 *
 * @param end completes when they have replied, or after {@value #DISCONNECT_MILLIS} ms
 */
public record Farewell(Transport transport, CompletableFuture<Void> end) {

    /** How long the end of a connector waits for the reply of the peer. */
    public static final long DISCONNECT_MILLIS = 2_000;

    /** How much of that a ping may take that is under way when the connector ends. */
    static final long PATIENCE_MILLIS = 1_000;

    /** Disconnects from peers after a ping: a peer that is still reading it would register it after it was told to drop it. */
    void tellAfter(CompletableFuture<?> ping, Set<URI> peers) {
        Runnable ended = () -> end.complete(null);
        Runnable giveUp = () -> ping.cancel(true);
        try {
            Future<?> limit = transport.timer().schedule(ended, DISCONNECT_MILLIS, TimeUnit.MILLISECONDS);
            Future<?> patience = transport.timer().schedule(giveUp, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            end.whenComplete((any, error) -> {
                limit.cancel(false);
                patience.cancel(false);
            });
        } catch (RejectedExecutionException e) {
            giveUp.run();
            peers.forEach(transport.peers()::disconnect);
            ended.run();
            return;
        }
        ping.whenComplete((any, error) -> tell(peers));
    }

    private void tell(Set<URI> peers) {
        List<CompletableFuture<PeerExchanges.Result>> goodbyes =
                peers.stream().map(transport.peers()::disconnect).toList();
        end.whenComplete((any, error) -> goodbyes.forEach(each -> each.cancel(true)));
        CompletableFuture.allOf(goodbyes.toArray(CompletableFuture[]::new))
                .whenComplete((any, error) -> end.complete(null));
    }
}
