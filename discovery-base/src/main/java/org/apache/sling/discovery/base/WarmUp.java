// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.base.dispatch.RunningCalls;
import org.apache.sling.discovery.base.dispatch.Subscriptions;
import org.apache.sling.discovery.base.engine.TopologyEngine;
import org.apache.sling.discovery.base.environment.Execution;
import org.apache.sling.discovery.base.journal.Journal;
import org.apache.sling.discovery.base.protocol.Protocol;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.commons.spi.ClusterStore;
import org.apache.sling.discovery.commons.spi.Outcome;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;
import org.apache.sling.discovery.commons.spi.StoreObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLogger;

/**
 * Plays changes of an imagined cluster, so that the first real change does not wait for classes to be loaded and code to be compiled. The
 * engine of an imagined instance settles each time when another instance has joined, and when it has left; there is one that leads and one
 * that follows. Its store is imagined too and its listener does nothing. Nothing of that is sent, written or logged.
 *
 * <p>The first rounds run at once, while the connection is being established. The others begin after a rest and come one by one, so that
 * they take little of a processor from the first changes and from what the container does.
 */
public final class WarmUp implements ClusterStore {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

    /** With fewer rounds most of the code is still interpreted afterwards. */
    private static final int ROUNDS = 60;

    private static final int ROUNDS_AT_ONCE = 5;
    private static final int PAUSES_OF_REST = 50;
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final Member SELF = member("warm-up", 2);
    private static final Member LEADER = member("warm-up-leader", 1);
    private static final Member OTHER = member("warm-up-other", 3);

    private final Execution execution;
    private final Duration pause;
    private final TopologyEngine engine;
    private final CompletableFuture<Boolean> done = new CompletableFuture<>();
    private StoreObserver observer;
    private List<Member> members;
    private ViewSlot slot = new ViewSlot(0, 1, 0, Optional.empty());
    private Set<Acknowledgement> acknowledgements = Set.of();
    private int changes;

    private WarmUp(Execution execution, Duration pause, boolean leads) {
        this.execution = execution;
        this.pause = pause;
        this.members = leads ? List.of() : List.of(LEADER);
        Subscriptions listeners =
                new Subscriptions(this::call, execution.time().monotonic(), this::listenerReturned, new RunningCalls());
        engine = new TopologyEngine(
                SELF.record(),
                Optional.empty(),
                this,
                () -> SettlingPolicy.DEFAULT,
                Protocol.SETTLING,
                execution.time(),
                execution.decisions(),
                listeners,
                new Journal(SELF.instanceId(), execution.time(), NOPLogger.NOP_LOGGER));
        listeners.add(this::told, () -> "warm-up");
        if (!leads) {
            publish(List.of(LEADER));
        }
    }

    /**
     * Starts the warm-up; never throws.
     *
     * @param execution runs it; the warm-up closes it when it ends. To be closed earlier if the container does not need it any more
     * @param pause the time between two changes after the first rounds; the rest before takes 50 times as long
     * @return completes with whether all rounds were played; not at all if the threads were closed before
     */
    public static CompletableFuture<Boolean> start(Execution execution, Duration pause) {
        return play(execution, pause, true)
                .thenCombine(play(execution, pause, false), Boolean::logicalAnd)
                .whenComplete((played, failure) -> execution.close())
                .exceptionally(failure -> {
                    LOG.debug("The warm-up failed; classes are loaded when they are needed", failure);
                    return false;
                });
    }

    private static CompletableFuture<Boolean> play(Execution execution, Duration pause, boolean leads) {
        WarmUp imagined = new WarmUp(execution, pause, leads);
        imagined.engine.open();
        return imagined.done;
    }

    /** Ends the warm-up when the container has closed the threads between two calls. No listener has failed then. */
    private void call(Runnable listener) {
        try {
            execution.calls().execute(listener);
        } catch (RejectedExecutionException e) {
            done.complete(false);
        }
    }

    private void listenerReturned() {
        engine.reevaluate();
    }

    private void told(TopologyEvent event) {
        if (event.getType() == TopologyEvent.Type.TOPOLOGY_INIT
                || event.getType() == TopologyEvent.Type.TOPOLOGY_CHANGED) {
            changes++;
            if (changes > 2 * ROUNDS) {
                done.complete(true);
            } else {
                schedule(this::change, pauseNow());
            }
        }
    }

    private Duration pauseNow() {
        if (changes < 2 * ROUNDS_AT_ONCE) {
            return Duration.ZERO;
        }
        return changes == 2 * ROUNDS_AT_ONCE ? pause.multipliedBy(PAUSES_OF_REST) : pause;
    }

    private void schedule(Runnable action, Duration delay) {
        try {
            execution.decisions().schedule(action, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            done.complete(false);
        }
    }

    /** The other instance joins or leaves. */
    private void change() {
        members = members.contains(OTHER)
                ? members.stream().filter(member -> !member.equals(OTHER)).toList()
                : Stream.concat(members.stream(), Stream.of(OTHER)).toList();
        observe();
    }

    @Override
    public void open(StoreObserver opened) {
        observer = opened;
        observer.connected(SELF.session(), TIMEOUT_MILLIS);
        observe();
    }

    private void observe() {
        observer.observed(new StoreSnapshot(
                "warm-up",
                members,
                slot,
                Optional.of(acknowledgements),
                Optional.of(new LeaseProbe(1, Set.of())),
                List.of()));
    }

    /** Does at once what the store does, and what a leader does that is another instance. */
    @Override
    public void request(Request request) {
        if (request instanceof Request.Announce) {
            members = Stream.concat(members.stream(), Stream.of(SELF)).toList();
            leaderPublishes();
        } else if (request instanceof Request.Acknowledge acknowledge) {
            acknowledgements = Set.of(new Acknowledgement(acknowledge.node(), acknowledge.number()));
            leaderPublishes();
        } else if (request instanceof Request.Publish publish) {
            hold(publish.next());
        }
        observe();
        observer.completed(request, Outcome.DONE);
    }

    private void leaderPublishes() {
        if (members.contains(LEADER)) {
            publish(members);
        }
    }

    private void publish(List<Member> next) {
        long number = slot.nextNumber();
        hold(new EstablishedView(
                number,
                number - 1,
                slot.view().map(EstablishedView::token).orElse(number),
                TIMEOUT_MILLIS,
                0,
                next.stream().map(Member::incarnation).toList(),
                Set.of(),
                "warm-up",
                LEADER.instanceId()));
    }

    private void hold(EstablishedView next) {
        slot = new ViewSlot(slot.version() + 1, next.number(), next.number(), Optional.of(next));
        acknowledgements = Set.of();
    }

    @Override
    public void collect(boolean collected) {
        // Acknowledgements are in each snapshot.
    }

    @Override
    public void close() {
        // Holds nothing.
    }

    private static Member member(String name, long number) {
        ProcessInfo process = new ProcessInfo(name, "host", number, "/", 0);
        MemberRecord record =
                MemberRecord.of(name, process, Map.of("name", name)).withSessionTimeout(TIMEOUT_MILLIS);
        return new Member(name, number, 0, number, record);
    }
}
