// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.connector.ConnectorContent.Verdict;
import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.commons.report.ConnectorReport;
import org.apache.sling.discovery.commons.report.ConnectorReport.State;
import org.apache.sling.discovery.commons.report.ConnectorReport.Traffic;
import org.slf4j.Logger;

/**
 * One configured connector. It pings its peer, and turns to the next URL within the same ping when one fails. At most one exchange is
 * under way, attempts at the preferred URL excepted.
 *
 * <p>A fall-back that replies stays in use. After each {@value #INTERVALS_OF_FALLBACK} ping intervals, and only after the fall-back
 * has accepted a ping, the connector also asks the preferred URL. That attempt delays no ping: one that is due ends it. When the
 * preferred peer accepts, it is in use from then on, and the fall-back is told to drop the announcement after the following ping: by
 * then all members of its cluster see what the preferred peer holds. When the preferred peer does not accept, nothing changes.
 *
 * <p>All rules run on the thread of the scheduler. The methods may be called from any thread and do not block.
 */
final class OutgoingConnector {
    /** After how many ping intervals the preferred URL is tried while a fall-back is in use. */
    static final int INTERVALS_OF_FALLBACK = 10;

    /** A back-off of a peer that is longer counts as this. */
    static final long LONGEST_BACKOFF_MILLIS = 3_600_000;

    /** How long the end of a connector waits for the reply of the peer. */
    static final long DISCONNECT_MILLIS = 2_000;

    /** How much of that a ping may take that is under way when the connector ends. */
    static final long PATIENCE_MILLIS = 1_000;

    private static final long NEVER = Long.MAX_VALUE;

    private final String name;
    private final List<URI> urls;
    private final ConnectorSettings settings;
    private final ConnectorContent content;
    private final PeerExchanges peers;
    private final ScheduledExecutorService scheduler;
    private final Time time;
    private final Logger log;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private State state = State.CONNECTING;
    private String sentence = "The first ping has not ended yet.";
    private long sinceMillis;
    private boolean closed;

    /** The URL that replied last; the preferred one while none does. */
    private int inUse;

    /** The URL of the last exchange. */
    private URI last;

    /** What is left of the ping that is under way; null between pings. */
    private Deque<URI> remaining;

    private final List<String> failures = new ArrayList<>();
    private CompletableFuture<PeerExchanges.Result> exchange;
    private CompletableFuture<PeerExchanges.Result> attempt;
    private boolean again;

    /** Whether the next message demands that the peer begin its back-off again. */
    private boolean resetBackoff;

    private Future<?> pingTimer;
    private Future<?> expiryTimer;
    private long nextPing = NEVER;
    private long nextAttempt;
    private long expiresAt = NEVER;
    private Optional<String> inheritedFrom = Optional.empty();

    /** The URL whose peer holds the announcement of this instance; null for none. */
    private URI registeredAt;

    /** A fall-back that still holds it although another URL is in use; null for none. */
    private URI left;

    private Optional<String> peer = Optional.empty();
    private OptionalLong acceptedMillis = OptionalLong.empty();
    private Traffic traffic = Traffic.NOTHING;
    private volatile Snapshot snapshot;

    /**
     * Makes a connector that does nothing yet.
     *
     * @param name its name for the content, different from those of other connectors
     * @param peers reaches the peers
     * @param scheduler has one thread
     * @param log where changes of its state are written to
     */
    OutgoingConnector(
            String name,
            ConnectorSettings.Outgoing configured,
            ConnectorSettings settings,
            ConnectorContent content,
            PeerExchanges peers,
            ScheduledExecutorService scheduler,
            Time time,
            Logger log) {
        this.name = name;
        this.urls = configured.urls();
        this.settings = settings;
        this.content = content;
        this.peers = peers;
        this.scheduler = scheduler;
        this.time = time;
        this.log = log;
        last = urls.get(0);
        sinceMillis = time.wall().getAsLong();
        publish();
    }

    /** Sends the first ping. */
    void start() {
        pingNow(false);
    }

    /**
     * Sends a ping now, whatever the back-off. While an exchange is under way one more ping follows it, however often this is called. A
     * connector that has stopped stays so.
     *
     * @param reset whether the peer is told to begin its back-off again
     */
    void pingNow(boolean reset) {
        enqueue(() -> {
            resetBackoff |= reset;
            if (exchange != null) {
                again = true;
            } else if (state != State.STOPPED) {
                ping();
            }
        });
    }

    /**
     * Ends the connector: what it inherited is forgotten, and the peer is told to drop the announcement of this instance. The future
     * completes after that, at the latest after {@value #DISCONNECT_MILLIS} ms; scheduler and exchanges must run until then.
     */
    CompletableFuture<Void> close() {
        if (closing.compareAndSet(false, true) && !enqueue(this::end)) {
            content.forget(name);
            end.complete(null);
        }
        return end;
    }

    /** Returns what is known now. */
    ConnectorReport.Outgoing report() {
        return snapshot.report(time);
    }

    private boolean enqueue(Runnable task) {
        try {
            scheduler.execute(guarded(task));
            return true;
        } catch (RejectedExecutionException e) {
            // The instance is stopping.
            return false;
        }
    }

    private Future<?> after(long millis, Runnable task) {
        return scheduler.schedule(guarded(task), millis, TimeUnit.MILLISECONDS);
    }

    private Runnable guarded(Runnable task) {
        return () -> {
            if (closed) {
                return;
            }
            try {
                task.run();
            } catch (RuntimeException e) {
                log.error("Connector {} failed unexpectedly and continues with its next ping", shown(urls.get(0)), e);
                if (!closed && state != State.STOPPED && exchange == null) {
                    remaining = null;
                    again = false;
                    plan(interval());
                }
            }
            publish();
        };
    }

    private void ping() {
        cancel(pingTimer);
        nextPing = NEVER;
        again = false;
        failures.clear();
        if (attempt != null) {
            end(attempt);
            attempt = null;
        }
        remaining = new ArrayDeque<>();
        remaining.add(urls.get(inUse));
        urls.stream().filter(url -> !remaining.contains(url)).forEach(remaining::add);
        askNext();
    }

    private void askNext() {
        URI url = remaining.poll();
        Optional<Announcement> message = content.ping(name, resetBackoff);
        if (message.isEmpty()) {
            remaining = null;
            sentence = "No ping was sent, because the own view is not current; the next one is sent when it is.";
            plan(interval());
            return;
        }
        boolean reset = resetBackoff;
        resetBackoff = false;
        exchange = ask(url, message.get());
        CompletableFuture<PeerExchanges.Result> asked = exchange;
        asked.whenComplete((result, error) -> enqueue(() -> {
            if (asked == exchange) {
                exchange = null;
                PeerExchanges.Result counted = counted(result, error);
                // A peer that did not reply is told again.
                resetBackoff |= reset && counted.reply().isEmpty();
                ended(url, counted);
            }
        }));
    }

    private CompletableFuture<PeerExchanges.Result> ask(URI url, Announcement message) {
        last = url;
        return peers.ping(url, message);
    }

    private PeerExchanges.Result counted(PeerExchanges.Result given, Throwable error) {
        PeerExchanges.Result result = error == null
                ? given
                : new PeerExchanges.Result(
                        Optional.empty(), Optional.of("The exchange failed unexpectedly: " + error + "."), 0, 0);
        traffic = new Traffic(
                traffic.requests() + 1,
                traffic.failures() + (result.reply().isPresent() ? 0 : 1),
                traffic.bytesSent() + result.bytesSent(),
                traffic.bytesReceived() + result.bytesReceived());
        return result;
    }

    private void ended(URI url, PeerExchanges.Result result) {
        if (result.reply().isPresent()) {
            replied(url, result.reply().get());
            return;
        }
        failures.add(result.failure().orElse(shown(url) + " did not reply."));
        if (!remaining.isEmpty()) {
            askNext();
            return;
        }
        inUse = 0;
        remaining = null;
        enter(State.FAILING, String.join(" ", failures));
        plan(interval());
    }

    private void replied(URI url, Announcement reply) {
        remaining = null;
        inUse = urls.indexOf(url);
        long wait = Math.max(interval(), take(url, reply));
        if (state == State.STOPPED) {
            return;
        }
        plan(wait);
        if (exchange == null && state == State.CONNECTED) {
            tryPreferred();
        }
    }

    /** Takes a reply and returns how many milliseconds the peer asks to wait. */
    private long take(URI url, Announcement reply) {
        Verdict verdict = content.replied(name, reply);
        peer = Optional.of(reply.ownerId());
        cancel(expiryTimer);
        expiresAt = NEVER;
        inheritedFrom = Optional.empty();
        switch (verdict.kind()) {
            case ACCEPTED -> accepted(url, reply, verdict);
            case LOOP -> enter(State.STANDBY, verdict.sentence());
            case OWN -> enter(settings.autoStop() ? State.STOPPED : State.STANDBY, verdict.sentence());
        }
        if (!reply.loop()) {
            // Also when this side does not register the reply.
            registeredAt = url;
        }
        return Math.min(LONGEST_BACKOFF_MILLIS, TimeUnit.SECONDS.toMillis(verdict.backoffSeconds()));
    }

    private void accepted(URI url, Announcement reply, Verdict verdict) {
        if (state == State.CONNECTED && registeredAt != null && !registeredAt.equals(url)) {
            log.info("Connector {} uses {} now", shown(urls.get(0)), shown(url));
        }
        inheritedFrom = Optional.of(reply.ownerId());
        acceptedMillis = OptionalLong.of(time.wall().getAsLong());
        expiresAt = verdict.expiresAt();
        expiryTimer = after(Math.max(0, expiresAt - now()), this::expire);
        String why = failures.isEmpty() ? "" : " It is a fall-back: " + String.join(" ", failures);
        enter(State.CONNECTED, "Instance " + reply.ownerId() + " at " + shown(url) + " accepts the pings." + why);
        if (url.equals(left)) {
            left = null;
        }
    }

    private void tryPreferred() {
        URI preferred = urls.get(0);
        URI used = urls.get(inUse);
        if (left != null && inUse == 0) {
            peers.disconnect(left);
            left = null;
        }
        if (inUse == 0 || !failures.isEmpty()) {
            nextAttempt = now() + INTERVALS_OF_FALLBACK * interval();
            return;
        }
        if (now() < nextAttempt) {
            return;
        }
        nextAttempt = now() + INTERVALS_OF_FALLBACK * interval();
        Optional<Announcement> message = content.ping(name, false);
        if (message.isEmpty()) {
            return;
        }
        attempt = peers.ping(preferred, message.get());
        CompletableFuture<PeerExchanges.Result> asked = attempt;
        asked.whenComplete((result, error) -> enqueue(() -> {
            PeerExchanges.Result counted = counted(result, error);
            if (asked == attempt) {
                attempt = null;
                counted.reply().filter(reply -> !reply.loop()).ifPresent(reply -> prefer(preferred, used, reply));
            }
        }));
    }

    private void prefer(URI preferred, URI used, Announcement reply) {
        long wait = Math.max(interval(), take(preferred, reply));
        last = preferred;
        if (state == State.CONNECTED) {
            inUse = 0;
            left = used;
            plan(wait);
        } else if (state != State.STOPPED) {
            // What the fall-back told is given up by this: it is asked again, and the preferred URL only after it
            // fails.
            nextAttempt = NEVER;
            ping();
        }
    }

    private void expire() {
        if (now() < expiresAt) {
            expiryTimer = after(expiresAt - now(), this::expire);
            return;
        }
        expiresAt = NEVER;
        content.forget(name);
        String expired = "The announcement of " + inheritedFrom.orElse("the peer") + " expired.";
        inheritedFrom = Optional.empty();
        log.warn("Connector {}: {} {}", shown(urls.get(0)), expired, sentence);
        if (state == State.CONNECTED) {
            state = State.CONNECTING;
            sinceMillis = time.wall().getAsLong();
        }
        sentence = expired + " " + sentence;
    }

    /** Sets the time of the next ping; it is now if one was demanded meanwhile. */
    private void plan(long millis) {
        cancel(pingTimer);
        if (again) {
            ping();
            return;
        }
        nextPing = now() + millis;
        pingTimer = after(millis, this::ping);
    }

    private void enter(State next, String why) {
        sentence = next == State.STOPPED ? why + " The connector has stopped until the configuration changes." : why;
        if (next == state) {
            return;
        }
        String text =
                switch (next) {
                    case CONNECTED -> "is connected";
                    case STANDBY -> "stands by";
                    case STOPPED -> "has stopped";
                    case FAILING, CONNECTING -> "fails";
                };
        if (next == State.FAILING) {
            log.warn("Connector {} {}: {}", shown(urls.get(0)), text, sentence);
        } else {
            log.info("Connector {} {}: {}", shown(urls.get(0)), text, sentence);
        }
        state = next;
        sinceMillis = time.wall().getAsLong();
    }

    private void end() {
        closed = true;
        Set<URI> told = new LinkedHashSet<>();
        Stream.of(Optional.ofNullable(registeredAt), Optional.ofNullable(left))
                .flatMap(Optional::stream)
                .forEach(told::add);
        if (exchange != null) {
            // The peer may have registered it already.
            told.add(last);
        }
        if (attempt != null) {
            told.add(urls.get(0));
        }
        cancel(pingTimer);
        cancel(expiryTimer);
        nextPing = NEVER;
        expiresAt = NEVER;
        List<CompletableFuture<?>> underWay = new ArrayList<>();
        Stream.of(Optional.ofNullable(exchange), Optional.ofNullable(attempt))
                .forEach(each -> each.ifPresent(underWay::add));
        exchange = null;
        attempt = null;
        content.forget(name);
        Runnable ended = () -> end.complete(null);
        try {
            Future<?> limit = scheduler.schedule(ended, DISCONNECT_MILLIS, TimeUnit.MILLISECONDS);
            // A peer that is still reading a ping would register it after it was told to drop it.
            Future<?> patience = scheduler.schedule(
                    () -> underWay.forEach(OutgoingConnector::end), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            end.whenComplete((any, error) -> {
                cancel(limit);
                cancel(patience);
            });
        } catch (RejectedExecutionException e) {
            underWay.forEach(OutgoingConnector::end);
            told.forEach(peers::disconnect);
            ended.run();
            return;
        }
        all(underWay).whenComplete((any, error) -> tell(told));
    }

    private void tell(Set<URI> told) {
        List<CompletableFuture<PeerExchanges.Result>> goodbyes =
                told.stream().map(peers::disconnect).toList();
        end.whenComplete((any, error) -> goodbyes.forEach(OutgoingConnector::end));
        all(goodbyes).whenComplete((any, error) -> end.complete(null));
    }

    private static CompletableFuture<Void> all(List<? extends CompletableFuture<?>> exchanges) {
        return CompletableFuture.allOf(exchanges.toArray(CompletableFuture[]::new));
    }

    private static void end(CompletableFuture<?> exchange) {
        if (exchange != null) {
            exchange.cancel(true);
        }
    }

    private static void cancel(Future<?> timer) {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    private long now() {
        return time.monotonic().getAsLong();
    }

    private long interval() {
        return settings.pingInterval().toMillis();
    }

    private static String shown(URI url) {
        return PeerUrl.shown(url);
    }

    private void publish() {
        snapshot = new Snapshot(
                urls, last, state, sentence, sinceMillis, peer, acceptedMillis, nextPing, expiresAt, traffic);
    }

    /** What a report is made of; times of the future are monotonic until then. */
    private record Snapshot(
            List<URI> urls,
            URI last,
            State state,
            String sentence,
            long sinceMillis,
            Optional<String> peer,
            OptionalLong acceptedMillis,
            long nextPing,
            long expiresAt,
            Traffic traffic) {

        ConnectorReport.Outgoing report(Time time) {
            long offset = time.wall().getAsLong() - time.monotonic().getAsLong();
            return new ConnectorReport.Outgoing(
                    urls.stream().map(PeerUrl::shown).toList(),
                    PeerUrl.shown(last),
                    state,
                    sentence,
                    sinceMillis,
                    peer,
                    acceptedMillis,
                    wall(nextPing, offset),
                    wall(expiresAt, offset),
                    traffic);
        }

        private static OptionalLong wall(long monotonic, long offset) {
            return monotonic == NEVER ? OptionalLong.empty() : OptionalLong.of(monotonic + offset);
        }
    }
}
