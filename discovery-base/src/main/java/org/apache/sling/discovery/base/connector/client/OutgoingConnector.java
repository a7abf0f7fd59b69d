// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.client;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.connector.client.Activity.Asking;
import org.apache.sling.discovery.base.connector.client.Activity.Closed;
import org.apache.sling.discovery.base.connector.client.Activity.Stopped;
import org.apache.sling.discovery.base.connector.client.Activity.Waiting;
import org.apache.sling.discovery.base.connector.registry.ConnectorContent;
import org.apache.sling.discovery.base.connector.registry.ConnectorContent.Verdict;
import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.commons.report.ConnectorReport;
import org.apache.sling.discovery.commons.report.ConnectorReport.State;
import org.slf4j.Logger;

/**
 * One configured connector. It pings its peer, and turns to the next URL within the same ping when one fails. A URL that replies stays in
 * use until it fails. At most one exchange is under way.
 *
 * <p>All rules run on the thread of the timer. The methods may be called from any thread and do not block.
 */
public final class OutgoingConnector {

    /** A back-off of a peer that is longer counts as this. */
    static final long MAX_BACKOFF_MILLIS = 3_600_000;

    private final Setup setup;
    private final ConnectorContent content;
    private final Transport transport;
    private final Time time;
    private final ConnectorStatus status;
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private volatile Activity activity = Waiting.FOR_START;

    /** The URL whose peer holds the announcement of this instance. */
    private Optional<URI> registeredAt = Optional.empty();

    /** Ends what the peer announced. */
    private Future<?> expiry = CompletableFuture.completedFuture(null);

    /** The URL that replied last; the preferred one while none does. */
    private URI inUse;

    /** Whether the next message demands that the peer begin its back-off again. */
    private boolean resetBackoff;

    private boolean closing;

    /**
     * What a connector is configured to do.
     *
     * @param name its name for the content, different from those of other connectors
     * @param urls the preferred URL, and fall-backs
     * @param interval the time between two pings, unless the peer asks for a longer one
     * @param autoStop whether it stops if it leads back to this instance
     */
    public record Setup(String name, List<URI> urls, Duration interval, boolean autoStop) {}

    /**
     * Makes a connector that does nothing yet.
     *
     * @param log where changes of its state are written to
     */
    public OutgoingConnector(Setup setup, ConnectorContent content, Transport transport, Time time, Logger log) {
        this.setup = setup;
        this.content = content;
        this.transport = transport;
        this.time = time;
        this.status = new ConnectorStatus(setup.urls, time, log);
        inUse = preferred();
    }

    /** Sends the first ping. */
    public void start() {
        pingNow(false);
    }

    /**
     * Sends a ping now, whatever the back-off. While an exchange is under way one more ping follows it, however often this is called. A
     * connector that has stopped stays so.
     *
     * @param reset whether the peer is told to begin its back-off again
     */
    public void pingNow(boolean reset) {
        enqueue(() -> {
            resetBackoff |= reset;
            if (activity instanceof Asking asking) {
                activity = asking.andAgain();
            } else if (activity instanceof Waiting) {
                ping();
            }
        });
    }

    /**
     * Ends the connector: what it inherited is forgotten, and the peer receives the demand to drop the announcement of this instance. The future
     * completes after that, at the latest after {@value Farewell#DISCONNECT_MILLIS} ms; timer and exchanges must run until then.
     */
    public synchronized CompletableFuture<Void> close() {
        if (!closing && !enqueue(this::end)) {
            content.forget(setup.name);
            end.complete(null);
        }
        closing = true;
        return end;
    }

    /** Returns what is known now. */
    public ConnectorReport.Outgoing report() {
        return status.report(activity.nextPing());
    }

    private boolean enqueue(Runnable task) {
        try {
            transport.timer().execute(guarded(task));
            return true;
        } catch (RejectedExecutionException e) {
            // The instance is stopping.
            return false;
        }
    }

    private Future<?> after(long millis, Runnable task) {
        return transport.timer().schedule(guarded(task), millis, TimeUnit.MILLISECONDS);
    }

    private Runnable guarded(Runnable task) {
        return () -> {
            if (activity instanceof Closed) {
                return;
            }
            try {
                task.run();
            } catch (RuntimeException e) {
                status.failed(e);
                if (activity instanceof Waiting
                        || activity instanceof Asking asking
                                && asking.exchange().isDone()) {
                    plan(interval(), false);
                }
            }
        };
    }

    private void ping() {
        List<URI> order = Stream.concat(Stream.of(inUse), setup.urls.stream().filter(each -> !each.equals(inUse)))
                .toList();
        activity.timer().cancel(false);
        ask(order, List.of(), false);
    }

    private void ask(List<URI> urls, List<String> failures, boolean again) {
        Optional<Announcement> message = content.ping(setup.name, resetBackoff);
        if (message.isEmpty()) {
            status.describe("No ping was sent, because the own view is not current; the next one is sent when it is.");
            plan(interval(), again);
            return;
        }
        boolean reset = resetBackoff;
        resetBackoff = false;
        URI url = urls.get(0);
        status.asks(url);
        CompletableFuture<PeerExchanges.Result> exchange = transport.peers().ping(url, message.get());
        activity = new Asking(url, urls.subList(1, urls.size()), failures, exchange, again);
        exchange.whenComplete((given, error) -> enqueue(() -> {
            if (activity instanceof Asking asking && asking.exchange() == exchange) {
                PeerExchanges.Result result = error == null ? given : PeerExchanges.Result.unexpected(error);
                status.count(result);
                // A peer that did not reply is told again.
                resetBackoff |= reset && result.reply().isEmpty();
                ended(asking, result);
            }
        }));
    }

    private void ended(Asking asking, PeerExchanges.Result result) {
        if (result.reply().isPresent()) {
            inUse = asking.url();
            replied(asking, result.reply().get());
            return;
        }
        List<String> failures = Stream.concat(
                        asking.failures().stream(),
                        Stream.of(result.failure().orElse(shown(asking.url()) + " did not reply.")))
                .toList();
        if (!asking.fallBacks().isEmpty()) {
            ask(asking.fallBacks(), failures, asking.again());
            return;
        }
        inUse = preferred();
        status.enter(State.FAILING, String.join(" ", failures));
        plan(interval(), asking.again());
    }

    private void replied(Asking asking, Announcement reply) {
        Verdict verdict = content.replied(setup.name, reply);
        expiry.cancel(false);
        status.replied(reply.ownerId());
        boolean stops = verdict.kind() == Verdict.Kind.OWN && setup.autoStop;
        if (verdict.kind() == Verdict.Kind.ACCEPTED) {
            accepted(asking, reply, verdict);
        } else if (stops) {
            status.enter(
                    State.STOPPED, verdict.sentence() + " The connector has stopped until the configuration changes.");
        } else {
            status.enter(State.STANDBY, verdict.sentence());
        }
        if (!reply.loop()) {
            // Also when this side does not register the reply.
            registeredAt = Optional.of(asking.url());
        }
        if (stops) {
            activity = new Stopped();
        } else {
            long asked = Math.min(MAX_BACKOFF_MILLIS, TimeUnit.SECONDS.toMillis(verdict.backoffSeconds()));
            plan(Math.max(interval(), asked), asking.again());
        }
    }

    private void accepted(Asking asking, Announcement reply, Verdict verdict) {
        if (status.state() == State.CONNECTED
                && registeredAt.filter(each -> !each.equals(asking.url())).isPresent()) {
            status.usesAnother(asking.url());
        }
        expiry = after(Math.max(0, verdict.expiresAt() - now()), this::expire);
        status.registered(verdict.expiresAt());
        String why = asking.failures().isEmpty() ? "" : " It is a fall-back: " + String.join(" ", asking.failures());
        status.enter(
                State.CONNECTED,
                "Instance " + reply.ownerId() + " at " + shown(asking.url()) + " accepts the pings." + why);
    }

    private void expire() {
        content.forget(setup.name);
        status.expired();
    }

    /** Sets the time of the next ping; it is now if one was demanded meanwhile. */
    private void plan(long millis, boolean now) {
        activity.timer().cancel(false);
        activity = now ? Waiting.FOR_START : new Waiting(now() + millis, after(millis, this::ping));
        if (now) {
            ping();
        }
    }

    private void end() {
        Set<URI> told = new LinkedHashSet<>();
        registeredAt.ifPresent(told::add);
        Optional<CompletableFuture<?>> underWay = Optional.empty();
        if (activity instanceof Asking asking) {
            // The peer may have registered it already.
            told.add(asking.url());
            underWay = Optional.of(asking.exchange());
        }
        activity.timer().cancel(false);
        expiry.cancel(false);
        activity = new Closed();
        status.ended();
        content.forget(setup.name);
        new Farewell(transport, end).tellAfter(underWay.orElse(CompletableFuture.completedFuture(null)), told);
    }

    private URI preferred() {
        return setup.urls.get(0);
    }

    private long now() {
        return time.monotonic().getAsLong();
    }

    private long interval() {
        return setup.interval.toMillis();
    }

    private static String shown(URI url) {
        return PeerUrl.shown(url);
    }
}
