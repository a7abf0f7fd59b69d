// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.client;

import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.connectors.client.Transport.PeerExchanges;
import io.github.discoveryzk.connectors.registry.AnnouncementRegistry;
import io.github.discoveryzk.connectors.registry.AnnouncementRegistry.Verdict;
import io.github.discoveryzk.connectors.settings.ConnectorSettings;
import io.github.discoveryzk.connectors.wire.Message;
import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.report.ConnectorReport.ConnectorState;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
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

    private static final Future<?> NOTHING = CompletableFuture.completedFuture(null);

    private final String name;
    private final List<URI> urls;
    private final ConnectorSettings settings;
    private final AnnouncementRegistry registry;
    private final Transport transport;
    private final Time time;
    private final ConnectorStatus status;
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private volatile Activity activity = new Waiting(ConnectorStatus.NEVER, NOTHING);

    /** The URL whose peer holds the announcement of this instance. */
    private Optional<URI> registeredAt = Optional.empty();

    /** The URL that replied last; the preferred one while none does. */
    private URI inUse;

    /** Whether the next message demands that the peer begin its back-off again. */
    private boolean resetBackoff;

    private boolean closing;

    /** What a connector does now. */
    private sealed interface Activity {}

    /** It waits until the next ping, in monotonic milliseconds. */
    private record Waiting(long nextPing, Future<?> timer) implements Activity {}

    /**
     * An exchange is under way.
     *
     * @param urls the URL that is asked, and those that are asked within the same ping if it fails
     * @param failures why the URLs before it failed
     * @param again whether another ping was demanded meanwhile
     */
    private record Asking(
            List<URI> urls, List<String> failures, CompletableFuture<PeerExchanges.Result> exchange, boolean again)
            implements Activity {

        URI url() {
            return urls.get(0);
        }
    }

    /** It leads back to this instance, and waits for another configuration. */
    private record Stopped() implements Activity {}

    /** It has ended. */
    private record Closed() implements Activity {}

    /**
     * Makes a connector that does nothing yet.
     *
     * @param index its place in the settings
     * @param log where changes of its state are written to
     */
    public OutgoingConnector(
            ConnectorSettings settings,
            int index,
            AnnouncementRegistry registry,
            Transport transport,
            Time time,
            Logger log) {
        this.settings = settings;
        this.name = Integer.toString(index);
        this.urls = settings.outgoing().get(index);
        this.registry = registry;
        this.transport = transport;
        this.time = time;
        this.status = new ConnectorStatus(urls, time, log);
        this.inUse = urls.get(0);
    }

    /**
     * Sends a ping now, whatever the back-off. While an exchange is under way one more ping follows it, however often this is called. A
     * connector that has stopped stays so.
     *
     * @param reset whether the peer is asked to begin its back-off again
     */
    public void pingNow(boolean reset) {
        enqueue(() -> {
            resetBackoff |= reset;
            if (activity instanceof Asking asking) {
                activity = new Asking(asking.urls, asking.failures, asking.exchange, true);
            } else if (activity instanceof Waiting) {
                ping();
            }
        });
    }

    /**
     * Ends the connector: what it inherited is forgotten, and the peer receives the demand to drop the announcement of this instance. The future
     * completes after that, at the latest after {@value Transport#DISCONNECT_MILLIS} ms; timer and exchanges must run until then.
     */
    public synchronized CompletableFuture<Void> close() {
        if (!closing && !enqueue(this::end)) {
            registry.forget(name);
            end.complete(null);
        }
        closing = true;
        return end;
    }

    /** Returns what is known now. */
    public ConnectorReport.Outgoing report() {
        return status.report(activity instanceof Waiting waiting ? waiting.nextPing : ConnectorStatus.NEVER);
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
                if (activity instanceof Closed) {
                    end.complete(null);
                } else if (activity instanceof Waiting
                        || activity instanceof Asking asking && asking.exchange.isDone()) {
                    plan(interval(), false);
                }
            }
        };
    }

    private void ping() {
        Set<URI> order = new LinkedHashSet<>(List.of(inUse));
        order.addAll(urls);
        ask(List.copyOf(order), List.of(), false);
    }

    private void ask(List<URI> urls, List<String> failures, boolean again) {
        Optional<Message> message = registry.ping(name, resetBackoff);
        if (message.isEmpty()) {
            status.describe(
                    "No ping was sent, because the local view is not current; the next one is sent when it is.");
            plan(interval(), again);
            return;
        }
        boolean reset = resetBackoff;
        resetBackoff = false;
        status.asks(urls.get(0));
        CompletableFuture<PeerExchanges.Result> exchange = transport.peers().ping(urls.get(0), message.get());
        become(new Asking(urls, failures, exchange, again));
        exchange.whenComplete((given, error) -> enqueue(() -> {
            if (activity instanceof Asking asking && asking.exchange == exchange) {
                PeerExchanges.Result result =
                        error == null ? given : PeerExchanges.Result.failed("The exchange failed: " + error + ".");
                status.count(result);
                // A peer that did not reply is asked again.
                resetBackoff |= reset && result.reply().isEmpty();
                result.reply()
                        .ifPresentOrElse(
                                reply -> replied(asking, reply),
                                () -> failed(asking, result.failure().orElse("There was no reply.")));
            }
        }));
    }

    private void failed(Asking asking, String failure) {
        List<String> failures = new ArrayList<>(asking.failures);
        failures.add(failure);
        if (asking.urls.size() > 1) {
            ask(asking.urls.subList(1, asking.urls.size()), failures, asking.again);
        } else {
            inUse = urls.get(0);
            status.enter(ConnectorState.FAILING, String.join(" ", failures));
            plan(interval(), asking.again);
        }
    }

    private void replied(Asking asking, Message reply) {
        Verdict verdict = registry.replied(name, reply);
        status.replied(reply.ownerId(), verdict);
        if (verdict.state() == ConnectorState.CONNECTED) {
            accepted(asking, reply);
        } else {
            status.enter(verdict.state(), verdict.sentence());
        }
        inUse = asking.url();
        if (!reply.loop()) {
            // Also when this side does not register the reply.
            registeredAt = Optional.of(asking.url());
        }
        if (verdict.state() == ConnectorState.STOPPED) {
            become(new Stopped());
        } else {
            long asked = Math.min(MAX_BACKOFF_MILLIS, TimeUnit.SECONDS.toMillis(verdict.backoffSeconds()));
            plan(Math.max(interval(), asked), asking.again);
        }
    }

    private void accepted(Asking asking, Message reply) {
        if (!inUse.equals(asking.url())) {
            status.usesAnother(asking.url());
        }
        String why = asking.failures.isEmpty() ? "" : " It is a fall-back: " + String.join(" ", asking.failures);
        status.enter(
                ConnectorState.CONNECTED,
                "Instance " + reply.ownerId() + " at " + PeerClient.shown(asking.url()) + " accepts the pings." + why);
    }

    /** Sets the time of the next ping; it is now if one was demanded meanwhile. */
    private void plan(long millis, boolean now) {
        if (now) {
            ping();
        } else {
            become(new Waiting(time.monotonic().getAsLong() + millis, after(millis, this::ping)));
        }
    }

    private void become(Activity next) {
        if (activity instanceof Waiting waiting) {
            waiting.timer.cancel(false);
        }
        activity = next;
    }

    private void end() {
        Set<URI> holders = new LinkedHashSet<>();
        registeredAt.ifPresent(holders::add);
        CompletableFuture<?> underWay = CompletableFuture.completedFuture(null);
        if (activity instanceof Asking asking) {
            // The peer may have registered it already.
            holders.add(asking.url());
            underWay = asking.exchange;
        }
        become(new Closed());
        registry.forget(name);
        transport.disconnectAfter(underWay, holders).whenComplete((any, error) -> end.complete(null));
    }

    private long interval() {
        return settings.timing().pingInterval().toMillis();
    }
}
