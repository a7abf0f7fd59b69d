// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.engine;

import io.github.discoveryzk.base.dispatch.Subscriptions;
import io.github.discoveryzk.base.environment.InstanceIdentity;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.base.journal.Counters.Counter;
import io.github.discoveryzk.base.journal.Journal;
import io.github.discoveryzk.base.journal.Standing;
import io.github.discoveryzk.base.protocol.Effect;
import io.github.discoveryzk.base.protocol.Facts;
import io.github.discoveryzk.base.protocol.Facts.Intent;
import io.github.discoveryzk.base.protocol.Facts.Suspect;
import io.github.discoveryzk.base.protocol.HeldView;
import io.github.discoveryzk.base.protocol.Observations;
import io.github.discoveryzk.base.protocol.Protocol;
import io.github.discoveryzk.base.protocol.Settling;
import io.github.discoveryzk.base.protocol.Step;
import io.github.discoveryzk.base.view.ImmutableTopologyView;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.report.Health;
import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.spi.LocalInstance.Stay;
import io.github.discoveryzk.spi.SettlingPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the settling protocol: passes it the events of the store and the listeners, and performs the effects that it returns.
 * Everything but {@link #topology}, {@link #journal} and the inputs runs on the one thread of the executor; the inputs only
 * queue.
 */
public final class TopologyEngine {

    private static final Logger LOG = LoggerFactory.getLogger(TopologyEngine.class);

    /** A turn that comes that much later than planned follows a pause of this process. */
    private static final long PAUSE_MILLIS = 100;

    private final ClusterStore store;
    private final Supplier<SettlingPolicy> policy;
    private final Protocol protocol;
    private final Time time;
    private final EventLoop loop;
    private final Subscriptions subscriptions;
    private final Journal journal;
    private final OutstandingRequests outstanding = new OutstandingRequests();

    private final Observations observations;
    private final IntentTracker intents;
    private final ShownTopology shown;
    private Settling state;
    private Optional<SettlingPolicy> announced = Optional.empty();
    private UnaryOperator<ProcessInfo> listening = UnaryOperator.identity();
    private BiConsumer<HeldView, StoreSnapshot> follower = (held, seen) -> {};
    private BiConsumer<Optional<Member>, StoreSnapshot> watcher = (self, seen) -> {};
    private long wakeAt = Long.MAX_VALUE;

    public TopologyEngine(
            InstanceIdentity identity,
            ClusterStore store,
            Supplier<SettlingPolicy> policy,
            Protocol protocol,
            Time time,
            ScheduledExecutorService executor,
            Subscriptions subscriptions) {
        MemberRecord own = MemberRecord.of(identity.instanceId(), identity.process(), Map.of());
        this.observations = new Observations(own);
        this.intents = new IntentTracker(identity.predecessor());
        this.store = store;
        this.policy = policy;
        this.protocol = protocol;
        this.time = time;
        this.subscriptions = subscriptions;
        this.state = Settling.starting(time.monotonic().getAsLong());
        this.journal = new Journal(observations.facts(List.of(), Set.of(), Intent.NONE, 0), state, time);
        this.shown = new ShownTopology(own, time, subscriptions, journal);
        this.loop = new EventLoop(own.instanceId(), executor, time.monotonic(), this::turn, subscriptions::retry);
    }

    /** Returns the last view sent to listeners, or a view that is not current before the first one. One volatile read. */
    public ImmutableTopologyView topology() {
        return shown.topology();
    }

    /** Returns the present stay in the cluster, as of the last turn. */
    public Optional<Stay> stay() {
        Standing standing = journal.standing();
        long heldMillis = standing.isParting() ? 0 : standing.facts().heldUntil() - now();
        return standing.facts().self().map(member -> new Stay(member.node(), heldMillis));
    }

    /** Returns the longest time by which the timer of this instance was late, in milliseconds. */
    public long longestPauseMillis() {
        return loop.longestPauseMillis();
    }

    public Journal journal() {
        return journal;
    }

    /** Sets the other clusters that the store has. */
    public void updateSiblings(List<RemoteCluster> clusters) {
        loop.submitFact(() -> shown.updateSiblings(clusters));
    }

    /** Sets the clusters that connectors of this cluster learned of, in the order of precedence. Those of the store come before them. */
    public void updateHeardClusters(List<RemoteCluster> clusters) {
        loop.submitFact(() -> shown.updateHeard(clusters));
    }

    /**
     * Sets what knows the neighbours of this instance; to be called before {@link #open}. Neither may block.
     *
     * @param listen returns the data of the process with the endpoint; called in each turn with a connection
     * @param next receives the view on which this instance acts and what the store shows, in each turn
     */
    public void follow(UnaryOperator<ProcessInfo> listen, BiConsumer<HeldView, StoreSnapshot> next) {
        listening = listen;
        follower = next;
    }

    /** Sets what receives the member of this instance and what the store shows, after each change; to be called before {@link #open}. It must not block. */
    public void watch(BiConsumer<Optional<Member>, StoreSnapshot> members) {
        watcher = members;
    }

    /** Opens the store on the engine's thread, unless the instance is leaving. */
    public void open() {
        submit(() -> {
            if (!intents.isLeaving()) {
                store.open(new StoreEvents(
                        loop, observations, outstanding, intents, journal, policy, time.monotonic(), watcher));
            }
        });
    }

    /** Changes the record of the local instance. */
    public void updateOwnRecord(UnaryOperator<MemberRecord> change) {
        submit(() -> observations.updateOwnRecord(change));
    }

    /** Decides again because a listener was added, has returned, or was removed. */
    public void reevaluate() {
        loop.submitFact(() -> {});
    }

    /** Invalidates the view for good; completes when all listeners have returned from CHANGING. */
    public CompletableFuture<Void> leave() {
        submit(intents::leave);
        return intents.left();
    }

    /** Gives up the seniority; the instance rejoins at the end of the order. */
    public void stepDown() {
        submit(() -> intents.stepDown(observations.self()));
    }

    /** Removes the member node of another instance. */
    public void evict(String node) {
        submit(() -> intents.evict(node));
    }

    /** Forgets the departures of an instance. */
    public void dismiss(String instanceId) {
        submit(() -> journal.departures().dismiss(instanceId));
    }

    /** Replaces the members whose processes seem to have ended. One that refutes that is not accused again before a set without it. */
    public void suspect(Set<Suspect> suspects) {
        submit(() -> intents.suspect(suspects));
    }

    /** Makes the seniors of a member give up their seniority, one after the other, the leader last. */
    public void lead(String node) {
        submit(() -> intents.lead(node));
    }

    /** Runs an action on the engine's thread, with a turn after it; returns false when the instance was closed. */
    public boolean submit(Runnable change) {
        return loop.submit(change);
    }

    private void turn() {
        boolean again = true;
        if (now() - PAUSE_MILLIS > wakeAt) {
            observations.recordPause(now());
        }
        if (observations.link().usable()) {
            observations.updateOwnRecord(own -> own.withProcess(listening.apply(own.process())));
        }
        intents.compare(observations.ownNode(), observations.snapshot(), now());
        announceSettings(policy.get());
        while (again) {
            Facts facts = facts();
            Step step = protocol.step(state, facts, policy.get(), now());
            again = perform(step);
            journal.update(facts, step);
            if (!again) {
                wakeAt = step.wakeAt();
                loop.wakeAt(Math.min(step.wakeAt(), Math.min(outstanding.wakeAt(now()), listenersWakeAt())));
            }
        }
        if (state instanceof Settling.Settled settled) {
            shown.showRemotes(settled.held());
            observations.snapshot().ifPresent(seen -> follower.accept(settled.held(), seen));
        }
        boolean gone = observations.self().isEmpty() || !observations.link().usable();
        if (intents.isLeaving() && subscriptions.acting().isEmpty() && gone) {
            intents.completeLeave();
        }
    }

    /** Other members compare the settings with their own. */
    private void announceSettings(SettlingPolicy present) {
        if (!announced.equals(Optional.of(present))) {
            announced = Optional.of(present);
            observations.updateOwnRecord(own -> own.withProcess(own.process().withSettings(present.settings())));
        }
    }

    /** Returns when reports have to show a listener as slow, or a removed listener is no longer waited for. */
    private long listenersWakeAt() {
        return Math.min(subscriptions.busyForAt(Health.LISTENER_LIMIT_MILLIS), subscriptions.releasedAt());
    }

    private Facts facts() {
        return observations.facts(
                subscriptions.acting(),
                outstanding.kinds(now()),
                intents.intent(policy.get().quarantine(), now()),
                time.wall().getAsLong());
    }

    /**
     * Performs the effects of a step and says whether another step must follow immediately: there may be no listener to wait for, or the lease
     * may have ended. After requests nothing is known yet that the step did not know.
     */
    private boolean perform(Step step) {
        Settling before = state;
        state = step.state();
        for (Effect effect : step.effects()) {
            perform(effect, before, step.leaseEnd());
        }
        outstanding.collect(step.collect(), store);
        // A lease that has ended is over, even if a confirmation that was started in time arrives now.
        boolean lapsed = state instanceof Settling.Settled && !shown.extend(step.leaseEnd());
        if (lapsed) {
            observations.endLease();
        }
        return lapsed || step.notifies();
    }

    private void perform(Effect effect, Settling before, long leaseEnd) {
        if (effect instanceof Effect.NotifyChanging notification) {
            shown.perform(notification);
        } else if (effect instanceof Effect.NotifySettled notification) {
            shown.perform(notification, before.last(), leaseEnd);
        } else if (effect instanceof Effect.NotifyProperties notification) {
            shown.perform(notification, before.last());
        } else if (effect instanceof Effect.Ask ask) {
            LOG.debug("Decides to request {}", ask.request().getClass().getSimpleName());
            outstanding.start(ask.request(), now());
            journal.counters().count(Counter.REQUESTS, ask.request());
            store.request(ask.request());
        }
    }

    private long now() {
        return time.monotonic().getAsLong();
    }
}
