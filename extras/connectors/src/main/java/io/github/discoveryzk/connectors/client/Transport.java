// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.client;

import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.connectors.settings.ConnectorSettings;
import io.github.discoveryzk.connectors.wire.Message;
import io.github.discoveryzk.connectors.wire.WireLimits;
import io.github.discoveryzk.spi.ThreadsAndClocks;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What connectors run on.
 *
 * @param timer one thread, which runs the connectors and ends exchanges that take too long; nothing on it blocks
 * @param peers reaches the peers
 * @param end ends the threads that were made for this object
 */
@ThreadsAndClocks
public record Transport(ScheduledExecutorService timer, PeerExchanges peers, Runnable end) {

    /** How long the end of a connector waits for the reply of the peer. */
    public static final long DISCONNECT_MILLIS = 2_000;

    /** How much of that a ping may take that is under way when the connector ends. */
    static final long PATIENCE_MILLIS = 1_000;

    private static final int EXCHANGES = 4;
    private static final long IDLE_SECONDS = 60;

    /**
     * Makes threads and an HTTP client. The threads are daemons, and their names begin with {@code discovery-<id>-connectors-}: the timer, and
     * a few for exchanges, which begin when they are needed and may wait for a name service. In addition the HTTP client has one thread,
     * which it names itself and which ends with the client.
     */
    public static Transport ofThreads(String ownId, ConnectorSettings settings, Time time) {
        ThreadFactory factory = factory(ownId);
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, factory);
        timer.setRemoveOnCancelPolicy(true);
        ThreadPoolExecutor exchanges = exchanges(factory);
        PeerClient peers = new PeerClient(ownId, settings, WireLimits.DEFAULT, time, timer, exchanges);
        return new Transport(timer, peers, () -> {
            timer.shutdownNow();
            exchanges.shutdownNow();
        });
    }

    static ThreadFactory factory(String ownId) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "discovery-" + ownId + "-connectors-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    static ThreadPoolExecutor exchanges(ThreadFactory factory) {
        ThreadPoolExecutor exchanges = new ThreadPoolExecutor(
                EXCHANGES, EXCHANGES, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        exchanges.allowCoreThreadTimeOut(true);
        return exchanges;
    }

    /**
     * Disconnects from peers after a ping: a peer that is still reading it would register it after the demand to drop it.
     *
     * @return completes when they have replied, or after {@value #DISCONNECT_MILLIS} ms
     */
    CompletableFuture<Void> disconnectAfter(CompletableFuture<?> ping, Set<URI> holders) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Runnable giveUp = () -> end.complete(null);
        Runnable endPing = () -> ping.cancel(true);
        Future<?> limit = timer.schedule(giveUp, DISCONNECT_MILLIS, TimeUnit.MILLISECONDS);
        Future<?> patience = timer.schedule(endPing, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        ping.whenComplete((any, error) -> {
            List<CompletableFuture<PeerExchanges.Result>> goodbyes =
                    holders.stream().map(peers::disconnect).toList();
            end.whenComplete((ended, late) -> goodbyes.forEach(each -> each.cancel(true)));
            CompletableFuture.allOf(goodbyes.toArray(CompletableFuture[]::new))
                    .whenComplete((all, failed) -> end.complete(null));
        });
        return end.whenComplete((any, error) -> {
            limit.cancel(false);
            patience.cancel(false);
        });
    }

    /** Makes what connectors run on. */
    @FunctionalInterface
    public interface Factory {
        Transport make(String ownId, ConnectorSettings settings, Time time);
    }

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
}
