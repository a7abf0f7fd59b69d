// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import java.util.Optional;
import org.apache.sling.discovery.base.connector.wire.AnnouncedCluster;
import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.apache.sling.discovery.base.connector.wire.Weight;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.commons.report.ConnectorReport.Incoming;
import org.apache.sling.discovery.commons.report.ConnectorReport.Traffic;

/** An announcement with what is known about it. What can change is guarded by the lock of the registry. */
final class HeldAnnouncement {
    private final Announcement announcement;
    final Bytes packed;
    final long weight;
    final boolean bare;
    private final long since;
    long stableSince;
    long pingedAt;
    long expiresAt;
    long backoffSeconds;
    String address = "";
    Traffic traffic = Traffic.NOTHING;

    private HeldAnnouncement(Draft draft, long since, long stableSince) {
        this.announcement = draft.announcement();
        this.packed = draft.packed();
        this.weight = Weight.of(announcement);
        this.bare = draft.bare();
        this.since = since;
        this.stableSince = stableSince;
    }

    /**
     * What would be registered of a message.
     *
     * @param before what was held when it was made, expired or not
     * @param announcement the announcement, that of before if it is the same
     * @param packed the announcement as it is shared
     * @param bare whether it is without properties, because they take too much memory
     */
    record Draft(Optional<HeldAnnouncement> before, Announcement announcement, Bytes packed, boolean bare) {

        /** Returns what is registered now: what was held before if it is the same. */
        HeldAnnouncement register(Optional<HeldAnnouncement> lasting, long now) {
            if (lasting.filter(each -> each.announcement == announcement).isPresent()) {
                return lasting.get();
            }
            HeldAnnouncement next =
                    new HeldAnnouncement(this, lasting.map(each -> each.since).orElse(now), now);
            lasting.ifPresent(each -> next.traffic = each.traffic);
            return next;
        }
    }

    /** Records a message that has brought this announcement. */
    void pinged(long now, long backoff, Timing timing) {
        pingedAt = now;
        backoffSeconds = backoff;
        expiresAt = now + timing.keptMillis(backoff);
    }

    /** Counts bytes of bodies, and a request if some were received. */
    void count(long sent, long received) {
        traffic = new Traffic(
                traffic.requests() + (received > 0 ? 1 : 0),
                0,
                traffic.bytesSent() + sent,
                traffic.bytesReceived() + received);
    }

    Announcement announcement() {
        return announcement;
    }

    AnnouncedCluster cluster() {
        return announcement.cluster().orElseThrow();
    }

    String ownerId() {
        return announcement.ownerId();
    }

    boolean lists(String instanceId) {
        return announcement.lists(instanceId);
    }

    Incoming shown(long toWall) {
        return new Incoming(
                ownerId(),
                announcement.serverInfo().orElse(""),
                address,
                cluster().id(),
                since + toWall,
                pingedAt + toWall,
                expiresAt + toWall,
                backoffSeconds,
                traffic);
    }
}
