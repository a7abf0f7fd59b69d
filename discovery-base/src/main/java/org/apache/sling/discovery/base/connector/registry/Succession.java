// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import java.util.List;
import java.util.function.LongSupplier;
import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which sender may speak for an owner, and take the place of another one. Without signatures nothing but the address tells an owner from
 * another sender: it is connected from one address at a time, until it misses a ping. Guarded by the lock of the registry.
 */
final class Succession {
    private static final Logger LOG = LoggerFactory.getLogger(Succession.class);
    private static final long WARNING_INTERVAL_MILLIS = 10_000;

    private final HeldAnnouncements held;
    private final Timing timing;
    private final boolean signed;
    private final LongSupplier clock;
    private long nextWarning = Long.MIN_VALUE;

    Succession(HeldAnnouncements held, Timing timing, boolean signed, LongSupplier clock) {
        this.held = held;
        this.timing = timing;
        this.signed = signed;
        this.clock = clock;
    }

    /** Says whether an owner pings from another address. */
    boolean isHeldFromElsewhere(String ownerId, String address) {
        return held.ofOwner(ownerId)
                .filter(held::lasts)
                .filter(each -> !mayReplace(each, address))
                .isPresent();
    }

    /** Says whether a sender at that address may replace what is held. The address of what is inherited is empty. */
    private boolean mayReplace(HeldAnnouncement each, String address) {
        return signed || each.isFrom(address) || clock.getAsLong() >= each.missedAt(timing);
    }

    /** Replaces the announcements of other members of a cluster that it does not list any more. */
    void replaceOthers(Announcement by, String address) {
        held.all()
                .filter(each -> LoopRules.succeeds(by.ownerId(), by.cluster().orElseThrow(), each))
                .toList()
                .forEach(each -> replace(each, by.ownerId(), address));
    }

    /** Forgets what another owner replaces: now if its address may, otherwise when its own owner misses a ping. */
    void replace(HeldAnnouncement replaced, String owner, String address) {
        if (mayReplace(replaced, address)) {
            held.remove(List.of(replaced));
            warn(owner + " replaces " + replaced.ownerId() + ", which is not in cluster "
                    + replaced.cluster().id() + " any more");
        } else {
            replaced.expiresAt = replaced.missedAt(timing);
        }
    }

    /** Logs what a peer may cause as often as it likes. */
    void warn(String sentence) {
        long now = clock.getAsLong();
        if (now >= nextWarning) {
            nextWarning = now + WARNING_INTERVAL_MILLIS;
            LOG.warn(sentence);
        } else {
            LOG.debug(sentence);
        }
    }
}
