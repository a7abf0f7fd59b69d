// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.place;

import io.github.discoveryzk.data.SharedData;
import io.github.discoveryzk.data.SharedMap;
import io.github.discoveryzk.data.SharedValue;
import io.github.discoveryzk.data.Versioned;
import io.github.discoveryzk.data.Written;
import io.github.discoveryzk.spi.LocalInstance;
import io.github.discoveryzk.work.Worker;
import io.github.discoveryzk.work.place.Job.Call;
import io.github.discoveryzk.work.rules.Assignment;
import io.github.discoveryzk.work.rules.Engagements;
import io.github.discoveryzk.work.rules.Participant;
import io.github.discoveryzk.work.rules.Participant.Id;
import io.github.discoveryzk.work.rules.WorkKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins and ends keys on this instance as the record says, and tells in its entry what it can handle and what it has ended. It begins nothing unless
 * its instance is settled, and ends everything when the store no longer proves that the others count it as a member.
 *
 * <p>Thread-safe; workers are called without a lock.
 */
final class Agent {

    private static final Logger LOG = LoggerFactory.getLogger(Agent.class);

    static final long NAMED_AFTER_MILLIS = 5_000;
    private static final long FIRST_REST_MILLIS = 5_000;
    private static final int LONGEST_REST = 60;
    private static final long GIVEN_MILLIS = 1_000;

    /** So long others may take to read the entry of this agent. */
    private static final long READ_MILLIS = 1_000;

    private final LocalInstance instance;
    private final SharedValue<Map<String, Map<String, String>>> assignments;
    private final SharedMap<Map<String, Map<String, String>>> participants;
    private final LongSupplier clock;

    /** Another one after each start, so an agent that was closed never returns. */
    private final String entry = UUID.randomUUID().toString().substring(0, 8);

    private final Map<Worker, Job.Offer> offers = new LinkedHashMap<>();
    private final SortedMap<WorkKey, Job> jobs = new TreeMap<>();
    private final Map<WorkKey, Rest> rests = new HashMap<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    /** Completes when what this instance had has been given to others. */
    private CompletableFuture<Void> handedOver = new CompletableFuture<>();

    /** The member node that is about to go: nothing begins with it. */
    private String parting = "";

    private Assignment record = Assignment.NONE;
    private Optional<Engagements> engagements = Optional.empty();
    private boolean settled;
    private boolean closing;
    private boolean writing;

    /** When this agent knew first that the store has its entry, or has refused it. */
    private long toldAt = Long.MAX_VALUE;

    private long releases;
    private long unplacedSince = Long.MAX_VALUE;

    /** When this agent closes, it waits for the record a little longer than this. */
    private long idleSince = Long.MAX_VALUE;

    /** A key that could not begin. */
    private record Rest(long millis, long until) {}

    Agent(LocalInstance instance, SharedData data, LongSupplier clock) {
        this.instance = instance;
        this.assignments = data.value(Work.SCOPE, Work.ASSIGNMENTS, Assignment.KIND);
        this.participants = data.map(Work.SCOPE, Work.PARTICIPANTS, Participant.KIND);
        this.clock = clock;
    }

    /** Sets what a worker can handle. */
    synchronized void offer(Job.Offer offer) {
        offers.put(offer.worker(), offer);
        evaluate();
    }

    /** Ends what a worker handles. Completes when that has ended. */
    synchronized CompletableFuture<Void> withdraw(Worker worker) {
        offers.remove(worker);
        List<CompletableFuture<Void>> ends = jobs.values().stream()
                .filter(job -> job.offer.worker() == worker)
                .map(job -> job.ended)
                .toList();
        evaluate();
        return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
    }

    synchronized void follow(Assignment next) {
        record = next;
        evaluate();
    }

    synchronized void settle(boolean now) {
        settled = now;
        evaluate();
    }

    /** Ends everything, and begins nothing with the present membership any more. Completes when the record has given it to others. */
    synchronized CompletableFuture<Void> handOver() {
        parting = instance.stay().map(LocalInstance.Stay::node).orElse("");
        handedOver = new CompletableFuture<>();
        CompletableFuture<Void> result = handedOver;
        evaluate();
        return result;
    }

    /** Ends everything, and then the participation, at the latest a second after the last end. Completes when that is done. */
    synchronized CompletableFuture<Void> close() {
        closing = true;
        evaluate();
        return closed;
    }

    /** Returns how many keys have ended here while the record named this agent as their owner. */
    synchronized long releases() {
        return releases;
    }

    /** Returns what this agent has begun and not ended, a copy. */
    synchronized SortedMap<WorkKey, Job> jobs() {
        return new TreeMap<>(jobs);
    }

    /** Says whether this instance is settled and has keys to offer that the leader, whichever it is, may not know yet. */
    synchronized boolean isToOffer() {
        return clock.getAsLong() - READ_MILLIS < toldAt && instance.topology().isCurrent() && !able().isEmpty();
    }

    /** Returns what this instance can handle and the record does not have, if that has been so for a while. */
    synchronized SortedSet<WorkKey> unplaced() {
        SortedSet<WorkKey> left = new TreeSet<>();
        if (unplacedSince <= clock.getAsLong() - NAMED_AFTER_MILLIS) {
            left.addAll(able());
            left.removeAll(record.holdings().keySet());
        }
        return left;
    }

    /** Returns for how many milliseconds more each key rests that could not begin. */
    synchronized Map<WorkKey, Long> rests() {
        long now = clock.getAsLong();
        Map<WorkKey, Long> left = new TreeMap<>();
        rests.forEach((key, rest) -> {
            if (rest.until > now) {
                left.put(key, rest.until - now);
            }
        });
        return left;
    }

    /** Does what follows from all that is known. Called after each change, and each half a second for the clocks. */
    synchronized void evaluate() {
        if (closed.isDone()) {
            return;
        }
        Optional<LocalInstance.Stay> stay = instance.stay().filter(each -> each.heldMillis() > 0);
        if (stay.isPresent()) {
            Id self = new Id(entry, stay.get().node(), instance.instanceId());
            engagements = Optional.of(engagements.map(before -> before.as(self)).orElseGet(() -> Engagements.of(self)));
        }
        if (engagements.isEmpty()) {
            // It has never been a member.
            if (closing) {
                closed.complete(null);
            }
            return;
        }
        boolean isParting = closing || engagements.get().self().node().equals(parting);
        SortedSet<WorkKey> able = stay.isPresent() && !isParting ? able() : new TreeSet<>();
        SortedSet<WorkKey> ending = engagements.get().endings(record, able);
        List.copyOf(jobs.keySet()).forEach(key -> {
            Job job = jobs.get(key);
            if (ending.contains(key) || !job.ownership.isHeld() || !isOffered(key, job)) {
                end(key, job);
            }
        });
        boolean given = jobs.isEmpty()
                && !(stay.isPresent() && record.hasOwner(engagements.get().self()));
        if (given || !isParting) {
            handedOver.complete(null);
        }
        idleSince = jobs.isEmpty() ? Math.min(idleSince, clock.getAsLong()) : Long.MAX_VALUE;
        boolean late = clock.getAsLong() - GIVEN_MILLIS >= idleSince;
        if (closing && (given || late) && participants.isKnown()) {
            leave();
        } else if (stay.isPresent() && settled) {
            engagements = Optional.of(engagements.get().decline(record, able));
            for (Map.Entry<WorkKey, Long> each :
                    engagements.get().beginnings(record, able).entrySet()) {
                begin(each.getKey(), each.getValue());
            }
            tell(engagements.get().participant(record, able));
        }
        boolean placed = record.holdings().keySet().containsAll(able);
        unplacedSince = placed ? Long.MAX_VALUE : Math.min(unplacedSince, clock.getAsLong());
        nameCalls();
    }

    /** Returns what this instance can begin. */
    private SortedSet<WorkKey> able() {
        SortedSet<WorkKey> able = new TreeSet<>();
        long now = clock.getAsLong();
        offers.values().forEach(each -> able.addAll(each.keys()));
        able.removeIf(key -> rests.containsKey(key) && rests.get(key).until > now);
        return able;
    }

    private boolean isOffered(WorkKey key, Job job) {
        Job.Offer present = offers.get(job.offer.worker());
        return present != null && present.keys().contains(key);
    }

    private void begin(WorkKey key, long since) {
        Job.Offer offer = offers.values().stream()
                .filter(each -> each.keys().contains(key))
                .findFirst()
                .orElseThrow();
        Engagements before = engagements.orElseThrow();
        Job job = new Job(offer, new HeldKey(instance, assignments, key, before.self(), since), clock.getAsLong());
        jobs.put(key, job);
        engagements = Optional.of(before.begin(key, since));
        call(() -> {
            if (!job.ownership.isHeld()) {
                // The process has been paused: another instance may have the key by now.
                ended(key, job);
                return;
            }
            boolean failed = false;
            try {
                offer.worker().begin(job.ownership);
            } catch (Throwable e) { // An Error of one worker must not affect others.
                failed = true;
                LOG.error(
                        "{} cannot begin key {}, which is given back",
                        offer.name().get(),
                        key,
                        e);
            }
            begun(key, job, failed);
        });
    }

    private synchronized void begun(WorkKey key, Job job, boolean failed) {
        job.call = Call.NONE;
        if (failed) {
            Rest before = rests.getOrDefault(key, new Rest(FIRST_REST_MILLIS / 2, 0));
            long millis = Math.min(before.millis * 2, FIRST_REST_MILLIS * LONGEST_REST);
            rests.put(key, new Rest(millis, clock.getAsLong() + millis));
            ended(key, job);
        } else {
            rests.remove(key);
            evaluate();
        }
    }

    private void end(WorkKey key, Job job) {
        job.ownership.end();
        if (job.call != Call.NONE) {
            return;
        }
        job.call = Call.END;
        job.calledAt = clock.getAsLong();
        job.named = false;
        call(() -> {
            try {
                job.offer.worker().end(job.ownership);
            } catch (Throwable e) { // An Error of one worker must not affect others.
                LOG.error(
                        "{} failed to end key {}, which counts as ended",
                        job.offer.name().get(),
                        key,
                        e);
            }
            ended(key, job);
        });
    }

    private synchronized void ended(WorkKey key, Job job) {
        job.ownership.end();
        jobs.remove(key);
        Engagements before = engagements.orElseThrow();
        releases += job.call == Call.END && record.names(key, before.self(), job.ownership.token()) ? 1 : 0;
        engagements = Optional.of(before.end(key));
        job.ended.complete(null);
        evaluate();
    }

    /** Writes the entry if the store does not have it. */
    private void tell(Participant participant) {
        Map<String, Map<String, String>> next = participant.encoded();
        Optional<Map<String, Map<String, String>>> present =
                Optional.ofNullable(participants.entries().get(entry)).map(Versioned::value);
        boolean known = present.equals(Optional.of(next));
        boolean needless = present.isEmpty() && participant.keys().isEmpty();
        if (known) {
            noteTold();
        }
        if (!writing && !known && !needless) {
            write(participants.own(entry, next)).thenAccept(written -> {
                if (written instanceof Written.Refused) {
                    noteTold();
                }
            });
        }
    }

    private synchronized void noteTold() {
        toldAt = Math.min(toldAt, clock.getAsLong());
    }

    /** Gives up the entry for good, once nothing runs. */
    private void leave() {
        if (!writing) {
            write(participants.disown(entry)).thenAccept(written -> {
                if (written instanceof Written.Done) {
                    closed.complete(null);
                }
            });
        }
    }

    /** One write at a time. What had no effect is repeated by the next evaluation. */
    private CompletionStage<Written<Map<String, Map<String, String>>>> write(
            CompletionStage<Written<Map<String, Map<String, String>>>> write) {
        writing = true;
        return write.whenComplete((written, thrown) -> {
            synchronized (this) {
                writing = false;
            }
        });
    }

    private void call(Runnable task) {
        try {
            instance.calls().execute(task);
        } catch (RejectedExecutionException e) {
            // The instance has ended; its workers are to end all the same.
            task.run();
        }
    }

    private void nameCalls() {
        long now = clock.getAsLong();
        jobs.forEach((key, job) -> {
            if (!job.named && job.call != Call.NONE && now - job.calledAt >= NAMED_AFTER_MILLIS) {
                job.named = true;
                LOG.warn(
                        "{} of {} has not returned for key {}; no other instance handles the key before",
                        job.call,
                        job.offer.name().get(),
                        key);
            }
        });
    }
}
