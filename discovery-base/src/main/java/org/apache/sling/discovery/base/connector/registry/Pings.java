// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import java.util.Optional;
import org.apache.sling.discovery.base.connector.wire.AnnouncedCluster;
import org.apache.sling.discovery.base.connector.wire.Announcement;

/** Decides about the pings of peers, and registers them. Guarded by the lock of the registry. */
final class Pings {
    private final KnownClusters known;
    private final LoopRules rules;
    private final HeldAnnouncements held;
    private final Succession succession;
    private final Messages messages;

    Pings(KnownClusters known, LoopRules rules, HeldAnnouncements held, Succession succession, Messages messages) {
        this.known = known;
        this.rules = rules;
        this.held = held;
        this.succession = succession;
        this.messages = messages;
    }

    /** Takes a ping without what the peer says of this instance; the reply of what is registered has nothing nested yet. */
    PingOutcome take(Announcement request, String address, long bytes) {
        String owner = request.ownerId();
        Optional<AnnouncedCluster> cluster = known.local();
        if (cluster.isEmpty()) {
            return PingOutcome.withoutReply(PingOutcome.Kind.UNSETTLED, "the own view is not current");
        }
        if (succession.isHeldFromElsewhere(owner, address)) {
            return PingOutcome.withoutReply(PingOutcome.Kind.ELSEWHERE, owner + " is connected from another address");
        }
        Optional<String> loop = loop(request);
        if (loop.isEmpty()) {
            return register(request, cluster.get(), address, bytes);
        }
        if (held.removeOwner(owner)) {
            succession.warn("The connector of " + owner + " ends: " + loop.get());
        }
        return new PingOutcome(
                PingOutcome.Kind.LOOP,
                loop.get(),
                Optional.of(messages.loop(held.timing().standbyBackoff())));
    }

    /** Returns why the sender of a ping gets a loop announcement, if it does. */
    private Optional<String> loop(Announcement request) {
        String owner = request.ownerId();
        boolean registered = held.ofOwner(owner).filter(held::lasts).isPresent();
        return rules.refusal(request, registered)
                .or(() -> rules.findAlternativeRoute(
                        owner,
                        request.cluster().orElseThrow(),
                        held.all()
                                .filter(each -> each.announcement().inherited()
                                        || !each.ownerId().equals(owner))
                                .toList(),
                        registered,
                        false));
    }

    private PingOutcome register(Announcement request, AnnouncedCluster cluster, String address, long bytes) {
        succession.replaceOthers(request, address);
        Optional<HeldAnnouncement> before = held.ofOwner(request.ownerId()).filter(held::lasts);
        if (before.isEmpty() && !held.hasRoom()) {
            return PingOutcome.withoutReply(
                    PingOutcome.Kind.FULL, "there are " + AnnouncementRegistry.MAX_INCOMING + " incoming connectors");
        }
        HeldAnnouncement next = held.next(before, known.withoutLocal(request).asInherited(false));
        if (held.isTooHeavy(next)) {
            return PingOutcome.withoutReply(
                    PingOutcome.Kind.FULL,
                    "the announcements of all incoming connectors take more than " + held.maxBytes() + " bytes");
        }
        next.pingedFrom(address, bytes);
        held.accept(next, request.resetBackoff());
        return new PingOutcome(
                PingOutcome.Kind.ACCEPTED,
                "registered",
                Optional.of(messages.plain(cluster).withBackoff(next.backoffSeconds())));
    }
}
