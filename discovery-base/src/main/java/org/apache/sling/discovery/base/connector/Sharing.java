// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.sling.discovery.base.connector.registry.AnnouncementRegistry;
import org.apache.sling.discovery.commons.model.Bytes;

/** Shares what a registry holds. Used by the thread of the timer only. */
final class Sharing {

    /** How long after a change of what is held the next one is shared at the earliest: each costs every instance an event. */
    static final long INTERVAL_MILLIS = 1_000;

    private final AnnouncementRegistry registry;
    private final Consumer<Map<String, Bytes>> share;
    private final LongSupplier clock;
    private Optional<Map<String, Bytes>> shared = Optional.empty();
    private long nextAt = Long.MIN_VALUE;

    Sharing(AnnouncementRegistry registry, Consumer<Map<String, Bytes>> share, LongSupplier clock) {
        this.registry = registry;
        this.share = share;
        this.clock = clock;
    }

    /** Shares what is held if it is something else and the last change is a while ago. */
    void shareChange() {
        long now = clock.getAsLong();
        if (now < nextAt) {
            return;
        }
        Optional<Map<String, Bytes>> held = Optional.of(registry.held());
        if (!held.equals(shared)) {
            // The first time it replaces what the connectors before shared; nothing else has arrived meanwhile.
            nextAt = shared.isEmpty() ? nextAt : now + INTERVAL_MILLIS;
            shared = held;
            share.accept(held.get());
        }
    }
}
