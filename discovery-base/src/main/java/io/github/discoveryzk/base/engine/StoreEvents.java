// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.engine;

import io.github.discoveryzk.base.journal.Counters.Counter;
import io.github.discoveryzk.base.journal.Journal;
import io.github.discoveryzk.base.protocol.Observations;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.spi.StoreObserver;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Queues what happens in the store as inputs of the engine, each of which records what it says. */
record StoreEvents(
        EventLoop loop,
        Observations observations,
        OutstandingRequests outstanding,
        IntentTracker intents,
        Journal journal,
        Supplier<SettlingPolicy> policy,
        LongSupplier clock,
        BiConsumer<Optional<Member>, StoreSnapshot> watcher)
        implements StoreObserver {

    @Override
    public void connected(long session, int sessionTimeoutMillis) {
        loop.submit(() -> {
            observations.connected(session, sessionTimeoutMillis, policy.get().leaseMillis());
            outstanding.resume();
            if (journal.session().id() != 0) {
                journal.counters().count(Counter.RECONNECTS, "");
            }
        });
    }

    @Override
    public void suspended() {
        loop.submit(observations::suspended);
    }

    @Override
    public void expired() {
        loop.submit(observations::expired);
    }

    @Override
    public void observed(StoreSnapshot seen) {
        loop.submitFact(() -> {
            Optional<StoreSnapshot> known = observations.snapshot();
            if (known.filter(before -> before.slot().version() == seen.slot().version())
                    .isEmpty()) {
                // A publication that was overtaken by this view may be tried again immediately.
                outstanding.resume(Request.Publish.class);
            }
            if (observations.isBackwards(seen)) {
                journal.problems().recordStoreGoneBack(seen.view().orElseThrow().number(), observations.highest());
            }
            observations.observed(seen, clock.getAsLong());
            watcher.accept(observations.self(), seen);
        });
    }

    @Override
    public void completed(Request request, Outcome outcome) {
        loop.submitFact(() -> {
            if (outcome.status() == Outcome.Status.DONE) {
                recordSuccess(request);
            } else {
                outstanding.backOff(request, clock.getAsLong());
                journal.recordFailure(request, outcome);
            }
        });
    }

    @Override
    public void troubled(String sentence) {
        loop.submit(() -> journal.problems().recordTrouble(sentence));
    }

    private void recordSuccess(Request request) {
        long startedAt = outstanding.complete(request);
        observations.recordSuccess(request, startedAt, clock.getAsLong());
        if (request instanceof Request.Suspect made) {
            intents.recordSuspicion(made.suspicion());
        }
        journal.session().recordReply(startedAt);
        journal.problems().recordSuccess(request);
    }
}
