// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.sling.discovery.base.connector.registry.AnnouncementRegistry;
import org.apache.sling.discovery.commons.model.Bytes;

/** Shares what a registry holds, and lets it expire. Used by the thread of the timer only. */
final class Sharing {

    /** How long after a change of what is held the next one is shared at the earliest: each costs every instance an event. */
    static final long INTERVAL_MILLIS = 1_000;

    private final AnnouncementRegistry registry;
    private final Consumer<Map<String, Bytes>> share;
    private final ScheduledExecutorService timer;
    private final LongSupplier clock;
    private Optional<Map<String, Bytes>> shared = Optional.empty();
    private long nextAt = Long.MIN_VALUE;
    private boolean planned;
    private long expiryAt = Long.MAX_VALUE;

    Sharing(
            AnnouncementRegistry registry,
            Consumer<Map<String, Bytes>> share,
            ScheduledExecutorService timer,
            LongSupplier clock) {
        this.registry = registry;
        this.share = share;
        this.timer = timer;
        this.clock = clock;
    }

    /** Shares what is held if it is something else, immediately if the last change is a while ago, and otherwise later by that task. */
    void shareChange(Runnable later) {
        Map<String, Bytes> held = registry.held();
        long now = clock.getAsLong();
        if (shared.isEmpty()) {
            // Peers have told nothing else meanwhile.
            shared = Optional.of(held);
            share.accept(held);
        } else if (!shared.get().equals(held) && now >= nextAt) {
            shared = Optional.of(held);
            nextAt = now + INTERVAL_MILLIS;
            share.accept(held);
        } else if (now < nextAt && !planned) {
            planned = true;
            Runnable task = () -> {
                planned = false;
                later.run();
            };
            timer.schedule(task, nextAt - now, TimeUnit.MILLISECONDS);
        }
    }

    /** Forgets what has expired, and plans the next time. */
    void expire() {
        long next = registry.expire();
        long now = clock.getAsLong();
        if (expiryAt <= now) {
            expiryAt = Long.MAX_VALUE;
        }
        if (next < expiryAt) {
            expiryAt = next;
            Runnable again = this::expire;
            timer.schedule(again, Math.max(1, next - now), TimeUnit.MILLISECONDS);
        }
    }
}
