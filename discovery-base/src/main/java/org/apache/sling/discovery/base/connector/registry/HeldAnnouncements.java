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
import org.apache.sling.discovery.base.connector.wire.Weight;

/**
 * The announcements that this instance holds: incoming ones, by the id of their owner, and inherited ones, by connector. An announcement
 * counts until it expires. Guarded by the lock of the registry.
 */
final class HeldAnnouncements {
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
    HeldAnnouncements(LongSupplier clock, Runnable changed) {
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

    long weightOfOthers(String ownerId) {
        return incoming.values().stream()
                .map(HeldAnnouncement::announcement)
                .filter(each -> !each.ownerId().equals(ownerId))
                .mapToLong(Weight::of)
                .sum();
    }

    void putIncoming(HeldAnnouncement held) {
        incoming.put(held.ownerId(), held);
    }

    void putInherited(String connector, HeldAnnouncement held) {
        inherited.put(connector, held);
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
