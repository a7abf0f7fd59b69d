// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.registry;

import io.github.discoveryzk.connectors.settings.Timing;
import io.github.discoveryzk.connectors.wire.Announcement;
import io.github.discoveryzk.connectors.wire.Announcement.Weight;
import io.github.discoveryzk.connectors.wire.InvalidMessage;
import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The announcements that this instance holds: incoming ones, by the id of their owner, and inherited ones, by connector. An announcement
 * counts until it expires. Without signatures nothing but the address tells an owner from another sender: it is connected from one address
 * at a time, until it misses a ping. Guarded by the lock of the registry.
 */
final class HeldAnnouncements {
    private static final Logger LOG = LoggerFactory.getLogger(HeldAnnouncements.class);
    private static final long WARNING_INTERVAL_MILLIS = 10_000;

    /** Further owners are not registered: each costs memory, and space in the store. */
    static final int MAX_INCOMING = 1_000;

    private final Timing timing;
    private final boolean signed;
    private final long maxBytes;
    private final LongSupplier clock;
    private final Map<String, HeldAnnouncement> incoming = new TreeMap<>();
    private final Map<String, HeldAnnouncement> inherited = new TreeMap<>();
    private long nextWarning = Long.MIN_VALUE;

    /**
     * Begins without announcements.
     *
     * @param signed whether the messages of peers are signed, which proves who they are
     * @param maxBytes how much memory all incoming announcements may take together. One that takes more alone is kept without properties
     */
    HeldAnnouncements(Timing timing, boolean signed, long maxBytes, LongSupplier clock) {
        this.timing = timing;
        this.signed = signed;
        this.maxBytes = maxBytes;
        this.clock = clock;
    }

    /** Returns the announcement of a connecting owner. */
    Optional<HeldAnnouncement> ofOwner(String ownerId) {
        return Optional.ofNullable(incoming.get(ownerId)).filter(this::lasts);
    }

    /** Returns the announcement that a connector brought. */
    Optional<HeldAnnouncement> ofConnector(String connector) {
        return Optional.ofNullable(inherited.get(connector)).filter(this::lasts);
    }

    private boolean lasts(HeldAnnouncement held) {
        return clock.getAsLong() < held.expiresAt();
    }

    Stream<HeldAnnouncement> incoming() {
        return incoming.values().stream().filter(this::lasts);
    }

    Stream<HeldAnnouncement> all() {
        return Stream.concat(incoming(), inherited.values().stream().filter(this::lasts));
    }

    /**
     * Registers what a ping has brought. The longer it stays the same, the longer its owner may wait.
     *
     * @return how long the owner shall wait, in seconds
     * @throws InvalidMessage when there is no room for it
     */
    long register(Announcement ping, boolean resetBackoff, String address, long bytes) throws InvalidMessage {
        replace(all(), ping, address);
        Optional<HeldAnnouncement> before = ofOwner(ping.ownerId());
        if (before.isEmpty() && incoming.size() >= MAX_INCOMING) {
            throw new InvalidMessage(Reason.UNAVAILABLE, "there are " + MAX_INCOMING + " incoming connectors");
        }
        long now = clock.getAsLong();
        HeldAnnouncement next = next(before, ping.asInherited(false), now);
        if (isTooHeavy(next)) {
            throw new InvalidMessage(
                    Reason.UNAVAILABLE,
                    "the announcements of all incoming connectors take more than " + maxBytes + " bytes");
        }
        next.pingedFrom(address, bytes);
        if (resetBackoff) {
            next.resetBackoff(now);
        }
        long backoff = timing.stableBackoff(next.stableMillis(now));
        next.pinged(now, backoff, timing);
        putIncoming(next);
        return backoff;
    }

    /** Registers what a reply has brought, and returns until when it lasts. */
    long inherit(String connector, Optional<HeldAnnouncement> before, Announcement reply, long backoffSeconds) {
        replace(all(), reply, "");
        long now = clock.getAsLong();
        HeldAnnouncement next = next(before, reply.asInherited(true), now);
        next.pinged(now, backoffSeconds, timing);
        inherited.put(connector, next);
        return next.expiresAt();
    }

    /** Returns what is held of a message: what was held before if it tells the same. */
    private HeldAnnouncement next(Optional<HeldAnnouncement> before, Announcement message, long now) {
        boolean bare = Weight.of(message) > maxBytes;
        Announcement kept = bare ? message.withoutProperties() : message;
        if (before.filter(each -> each.announcement().equals(kept)).isPresent()) {
            return before.get();
        }
        if (bare) {
            warn("The announcement of " + message.ownerId() + " is kept and shown without the properties of its"
                    + " instances: with them it would take more than " + maxBytes
                    + " bytes of memory. Give this instance a larger heap, or have its cluster offer less");
        }
        return new HeldAnnouncement(before, kept, now);
    }

    /** Says whether an incoming announcement takes too much memory, together with those of other owners. */
    private boolean isTooHeavy(HeldAnnouncement next) {
        long others = incoming.values().stream()
                .map(HeldAnnouncement::announcement)
                .filter(each -> !each.ownerId().equals(next.ownerId()))
                .mapToLong(Weight::of)
                .sum();
        return others + Weight.of(next.announcement()) > maxBytes;
    }

    /**
     * Checks that a sender may speak for an owner.
     *
     * @throws InvalidMessage when the owner pings from another address
     */
    void requireSender(String ownerId, String address) throws InvalidMessage {
        if (ofOwner(ownerId).filter(each -> !mayReplace(each, address)).isPresent()) {
            throw new InvalidMessage(Reason.FORBIDDEN, ownerId + " is connected from another address");
        }
    }

    /** Says whether a sender at that address may replace what is held. The address of what is inherited is empty. */
    private boolean mayReplace(HeldAnnouncement each, String address) {
        return signed || each.isFrom(address) || clock.getAsLong() >= each.missedAt(timing);
    }

    /**
     * Replaces those announcements of other members of a cluster that it no longer lists: now if the address of the sender may,
     * otherwise when their own owners miss a ping.
     */
    void replace(Stream<HeldAnnouncement> those, Announcement by, String address) {
        for (HeldAnnouncement replaced :
                those.filter(each -> LoopRules.succeeds(by, each)).toList()) {
            if (mayReplace(replaced, address)) {
                remove(List.of(replaced));
                warn(by.ownerId() + " replaces " + replaced.ownerId() + ", which is no longer in cluster "
                        + replaced.cluster().id());
            } else {
                replaced.expireAt(replaced.missedAt(timing));
            }
        }
    }

    /** Forgets the announcement of a connecting owner that has become a loop. */
    void removeLoop(String ownerId, String why) {
        if (removeOwner(ownerId)) {
            warn("The connector of " + ownerId + " ends: " + why);
        }
    }

    /** Logs what a peer may cause as often as it likes. */
    private void warn(String sentence) {
        long now = clock.getAsLong();
        if (now >= nextWarning) {
            nextWarning = now + WARNING_INTERVAL_MILLIS;
            LOG.warn(sentence);
        } else {
            LOG.debug(sentence);
        }
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

    void clear() {
        incoming.clear();
        inherited.clear();
    }

    /** Forgets what has expired. */
    void expire() {
        incoming.values().removeIf(each -> !lasts(each));
        inherited.values().removeIf(each -> !lasts(each));
    }
}
