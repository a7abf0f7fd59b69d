// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.engine;

import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.base.dispatch.Subscriptions;
import org.apache.sling.discovery.base.environment.Time;
import org.apache.sling.discovery.base.journal.Journal;
import org.apache.sling.discovery.base.protocol.Effect;
import org.apache.sling.discovery.base.protocol.Facts;
import org.apache.sling.discovery.base.protocol.HeldView;
import org.apache.sling.discovery.base.protocol.Observations;
import org.apache.sling.discovery.base.protocol.Protocol;
import org.apache.sling.discovery.base.protocol.Settling;
import org.apache.sling.discovery.base.protocol.Step;
import org.apache.sling.discovery.base.view.Validity;
import org.apache.sling.discovery.base.view.Views;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.report.Health;
import org.apache.sling.discovery.commons.spi.ClusterStore;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;
import org.apache.sling.discovery.commons.spi.StoreObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shell around the settling protocol: collects facts, asks the protocol what follows from them, and does it. Everything
 * but {@link #topology}, {@link #journal} and the inputs runs on the one thread of the executor; the inputs only queue.
 */
public final class TopologyEngine implements StoreObserver {

    private static final Logger LOG = LoggerFactory.getLogger(TopologyEngine.class);

    private static final long RETRY_MILLIS = 1_000;

    private final ClusterStore store;
    private final Supplier<SettlingPolicy> policy;
    private final Protocol protocol;
    private final Time time;
    private final ScheduledExecutorService executor;
    private final Subscriptions subscriptions;
    private final Journal journal;
    private final OutstandingRequests outstanding = new OutstandingRequests();
    private final CompletableFuture<Void> left = new CompletableFuture<>();

    private final String instanceId;
    private final Observations observations;
    private final IntentTracker wishes;
    private Settling state;
    private Validity validity = Validity.none();
    private boolean collecting;
    private volatile Runnable turned = () -> {};
    private Optional<ScheduledFuture<?>> wake = Optional.empty();
    private long wakeAt = Long.MAX_VALUE;

    private volatile TopologyView topology;

    public TopologyEngine(
            MemberRecord own,
            Optional<String> predecessor,
            ClusterStore store,
            Supplier<SettlingPolicy> policy,
            Protocol protocol,
            Time time,
            ScheduledExecutorService executor,
            Subscriptions subscriptions) {
        this.observations = new Observations(own);
        this.wishes = new IntentTracker(predecessor);
        this.store = store;
        this.policy = policy;
        this.protocol = protocol;
        this.time = time;
        this.executor = executor;
        this.subscriptions = subscriptions;
        this.state = Settling.starting(time.monotonic().getAsLong());
        this.topology = Views.unsettled(own, UUID.randomUUID().toString());
        this.instanceId = own.instanceId();
        this.journal = new Journal(instanceId, time);
    }

    /** Returns the last view told to listeners, or one that is not current before there was any. One volatile read. */
    public TopologyView topology() {
        return topology;
    }

    public Journal journal() {
        return journal;
    }

    /** Has this run on the engine's thread after each turn; it must not throw. To be called once, before {@link #open}. */
    public void afterEachTurn(Runnable action) {
        turned = action;
    }

    /**
     * Returns what becomes another number with each publication of a view; empty without a usable connection. To be called on the
     * engine's thread.
     */
    public Optional<Long> publication() {
        return observations
                .snapshot()
                .filter(seen -> observations.link().usable())
                .map(seen -> seen.slot().stamp());
    }

    public void open() {
        input(() -> {
            if (!wishes.isLeaving()) {
                store.open(this);
            }
        });
    }

    /** Changes what the instance says of itself. */
    public void publish(UnaryOperator<MemberRecord> change) {
        input(() -> observations.publish(change));
    }

    /** A listener came, returned or went. */
    public void listenersMoved() {
        input(() -> {});
    }

    /** Makes the view void for good; completes when all listeners have returned from CHANGING. */
    public CompletableFuture<Void> leave() {
        input(wishes::leave);
        return left;
    }

    /** Gives up the place in the order; the instance comes back at the end of it. */
    public void standDown() {
        input(() -> wishes.standDown(observations.self()));
    }

    /** Removes the member node of another instance. */
    public void evict(String node) {
        input(() -> wishes.evict(node));
    }

    @Override
    public void connected(long session, int sessionTimeoutMillis) {
        input(() -> {
            observations.connected(session, sessionTimeoutMillis);
            outstanding.rested();
        });
    }

    @Override
    public void suspended() {
        input(observations::suspended);
    }

    @Override
    public void expired() {
        input(observations::expired);
    }

    @Override
    public void observed(StoreSnapshot seen) {
        input(() -> {
            Optional<StoreSnapshot> known = observations.snapshot();
            if (known.filter(before -> before.slot().version() == seen.slot().version())
                    .isEmpty()) {
                // Who was overtaken by this view starts afresh.
                outstanding.rested(Request.Publish.class);
            }
            if (observations.isBackwards(seen)) {
                journal.wentBack(seen.view().orElseThrow().number(), observations.highest());
            }
            observations.observed(seen, now());
        });
    }

    @Override
    public void replied(Request request, Outcome outcome) {
        input(() -> {
            if (outcome.status() == Outcome.Status.DONE) {
                done(request);
            } else {
                outstanding.failed(request, now());
                journal.failed(request, outcome);
            }
        });
    }

    @Override
    public void troubled(String sentence) {
        input(() -> journal.troubled(sentence));
    }

    private void done(Request request) {
        // A lease that has ended is over, even if a confirmation started in time arrives now.
        turn();
        boolean invisible =
                request instanceof Request.Create && observations.self().isEmpty();
        if (invisible) {
            // Made and not to be seen, because it cannot be read: without a rest it would be made again and again.
            outstanding.failed(request, now());
            return;
        }
        long startedAt = outstanding.succeeded(request);
        observations.done(request, startedAt);
        journal.contact().answered(startedAt);
        journal.succeeded(request);
    }

    /** Has something done on the engine's thread, with a turn after it; returns false when the instance was closed. */
    public boolean input(Runnable change) {
        try {
            executor.execute(() -> guarded(change));
            return true;
        } catch (RejectedExecutionException e) {
            LOG.debug("Input after the instance was closed is dropped");
            return false;
        }
    }

    /** A defect must not end the thread that everything depends on: it is logged, and the next input tries again. */
    private void guarded(Runnable change) {
        try {
            change.run();
            turn();
        } catch (Throwable e) { // An Error would go unnoticed in the executor.
            LOG.error("Discovery of instance {} cannot go on with the present facts", instanceId, e);
            wakeAt(now() + RETRY_MILLIS);
        }
    }

    private void turn() {
        boolean again = true;
        wishes.compare(observations.self(), observations.snapshot(), now());
        while (again) {
            Step step = protocol.step(state, facts(), policy.get(), now());
            again = perform(step);
            journal.stands(state, step.waiting(), observations.link(), observations.snapshot());
            if (!again) {
                long listeners = Math.min(listenersSlowAt(), subscriptions.releasedAt());
                wakeAt(Math.min(step.wakeAt(), Math.min(outstanding.wakeAt(now()), listeners)));
            }
        }
        boolean gone = observations.self().isEmpty() || !observations.link().usable();
        if (wishes.isLeaving() && subscriptions.acting().isEmpty() && gone) {
            left.complete(null);
        }
        turned.run();
    }

    /** When the next listener will have been busy for too long, which is nothing to decide on but to be shown. */
    private long listenersSlowAt() {
        return subscriptions.status().stream()
                .filter(each -> each.pending() > 0 && each.busyMillis() < Health.LISTENER_LIMIT_MILLIS)
                .mapToLong(each -> now() + Health.LISTENER_LIMIT_MILLIS - each.busyMillis())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private Facts facts() {
        return observations.facts(
                subscriptions.acting(),
                outstanding.kinds(now()),
                wishes.intent(policy.get().quarantine(), now()),
                time.wall().getAsLong());
    }

    /** Does what a step asks for and says whether another step must follow at once. */
    private boolean perform(Step step) {
        Settling before = state;
        state = step.state();
        for (Effect effect : step.effects()) {
            perform(effect, before, step.leaseEnd());
        }
        if (collecting != step.collect()) {
            collecting = step.collect();
            store.collect(collecting);
        }
        boolean lapsed = state instanceof Settling.Settled && !validity.extend(step.leaseEnd());
        if (lapsed) {
            observations.lapsed();
        }
        return lapsed || !step.effects().isEmpty();
    }

    private void perform(Effect effect, Settling before, long leaseEnd) {
        if (effect instanceof Effect.TellChanging tell) {
            validity.end();
            journal.changing(tell.last(), tell.why());
            subscriptions.changing();
        } else if (effect instanceof Effect.TellSettled tell) {
            show(tell.next(), new Validity(time.monotonic(), leaseEnd));
            journal.settled(before.last(), tell.next());
        } else if (effect instanceof Effect.TellProperties tell) {
            show(tell.next(), validity.successor());
            journal.properties(before.last(), tell.next());
        } else if (effect instanceof Effect.Ask ask) {
            outstanding.start(ask.request(), now());
            store.request(ask.request());
        }
    }

    private void show(HeldView held, Validity next) {
        Validity old = validity;
        validity = next;
        topology = Views.of(held, next);
        old.supersede(topology.getInstances());
        subscriptions.settled(topology);
    }

    private void wakeAt(long at) {
        if (at >= wakeAt) {
            return;
        }
        wake.ifPresent(future -> future.cancel(false));
        wakeAt = at;
        long delay = Math.max(1, at - now());
        wake = Optional.of(executor.schedule(() -> guarded(this::woken), delay, TimeUnit.MILLISECONDS));
    }

    private void woken() {
        wakeAt = Long.MAX_VALUE;
        subscriptions.retry();
    }

    private long now() {
        return time.monotonic().getAsLong();
    }
}
