// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.apache.sling.discovery.base.connector.wire.Weight;

/**
 * The announcements that this instance holds: incoming ones, by the id of their owner, and inherited ones, by connector. An announcement
 * counts until it expires. Guarded by the lock of the registry.
 */
final class HeldAnnouncements {
    private final Timing timing;
    private final Storage storage;
    private final LongSupplier clock;
    private final Runnable changed;
    private final Map<String, HeldAnnouncement> incoming = new TreeMap<>();
    private final Map<String, HeldAnnouncement> inherited = new TreeMap<>();
    private List<HeldAnnouncement> published = List.of();
    private long nextExpiry = Long.MAX_VALUE;

    /**
     * Begins without announcements.
     *
     * @param changed runs when other announcements are held, and when one expires before the time that {@link #expire} returned
     */
    HeldAnnouncements(Timing timing, Storage storage, LongSupplier clock, Runnable changed) {
        this.timing = timing;
        this.storage = storage;
        this.clock = clock;
        this.changed = changed;
    }

    /** Returns the announcement of a connecting owner, expired or not. */
    Optional<HeldAnnouncement> ofOwner(String ownerId) {
        return Optional.ofNullable(incoming.get(ownerId));
    }

    /** Returns the announcement that a connector brought, expired or not. */
    Optional<HeldAnnouncement> ofConnector(String connector) {
        return Optional.ofNullable(inherited.get(connector));
    }

    boolean lasts(HeldAnnouncement held) {
        return clock.getAsLong() < held.expiresAt;
    }

    List<HeldAnnouncement> incoming() {
        return incoming.values().stream().filter(this::lasts).toList();
    }

    Stream<HeldAnnouncement> all() {
        return Stream.concat(incoming.values().stream(), inherited.values().stream())
                .filter(this::lasts);
    }

    /** Says whether another owner may connect. Those that have expired count until they are removed. */
    boolean hasRoom() {
        return incoming.size() < AnnouncementRegistry.MAX_INCOMING;
    }

    /** Returns what is held of a message when it is registered, instead of what was held before. */
    HeldAnnouncement next(Optional<HeldAnnouncement> before, Announcement message) {
        return storage.next(before, message, clock.getAsLong());
    }

    /** Says whether an incoming announcement takes too much memory, together with those of other owners. */
    boolean isTooHeavy(HeldAnnouncement next) {
        long others = incoming.values().stream()
                .map(HeldAnnouncement::announcement)
                .filter(each -> !each.ownerId().equals(next.ownerId()))
                .mapToLong(Weight::of)
                .sum();
        return others + Weight.of(next.announcement()) > storage.maxBytes();
    }

    /** Registers what a ping has brought. The longer it stays the same, the longer its owner may wait. */
    void accept(HeldAnnouncement next, boolean resetBackoff) {
        long now = clock.getAsLong();
        if (resetBackoff) {
            next.resetBackoff(now);
        }
        next.pinged(now, timing.stableBackoff(next.stableMillis(now)), timing);
        putIncoming(next);
    }

    /** Registers what a reply has brought. */
    void inherit(String connector, HeldAnnouncement next, long backoffSeconds) {
        next.pinged(clock.getAsLong(), backoffSeconds, timing);
        inherited.put(connector, next);
    }

    long maxBytes() {
        return storage.maxBytes();
    }

    Timing timing() {
        return timing;
    }

    void putIncoming(HeldAnnouncement held) {
        incoming.put(held.ownerId(), held);
    }

    /** Forgets the announcement of a connecting owner, and says whether there was one. */
    boolean removeOwner(String ownerId) {
        return incoming.remove(ownerId) != null;
    }

    void removeConnector(String connector) {
        inherited.remove(connector);
    }

    void remove(Collection<HeldAnnouncement> those) {
        incoming.values().removeAll(those);
        inherited.values().removeAll(those);
    }

    /** Forgets the incoming announcements and returns those that last. */
    List<HeldAnnouncement> giveUpIncoming() {
        List<HeldAnnouncement> given = new ArrayList<>(incoming());
        incoming.clear();
        return given;
    }

    void clear() {
        incoming.clear();
        inherited.clear();
    }

    /** Forgets what has expired, and returns when the next announcement expires: {@link Long#MAX_VALUE} for never. */
    long expire() {
        incoming.values().removeIf(each -> !lasts(each));
        inherited.values().removeIf(each -> !lasts(each));
        publish();
        nextExpiry = firstExpiry();
        return nextExpiry;
    }

    /** Runs {@code changed} if there is something to do for it. */
    void publish() {
        List<HeldAnnouncement> now = all().toList();
        long first = firstExpiry();
        boolean sooner = first < nextExpiry;
        nextExpiry = Math.min(first, nextExpiry);
        if (sooner || !now.equals(published)) {
            published = now;
            changed.run();
        }
    }

    private long firstExpiry() {
        return all().mapToLong(each -> each.expiresAt).min().orElse(Long.MAX_VALUE);
    }
}
