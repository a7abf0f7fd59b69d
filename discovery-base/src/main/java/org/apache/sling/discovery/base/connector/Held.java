// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector;

import java.util.Optional;
import org.apache.sling.discovery.base.connector.wire.AnnouncedCluster;
import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.apache.sling.discovery.base.connector.wire.AnnouncementCodec;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.commons.report.ConnectorReport.Incoming;
import org.apache.sling.discovery.commons.report.ConnectorReport.Traffic;

/** An announcement with what is known about it. What can change is guarded by the lock of the registry. */
final class Held {
    private final Announcement announcement;
    final Bytes packed;
    final long weight;
    private final long since;
    long stableSince;
    long pingedAt;
    long expiresAt;
    long backoffSeconds;
    String address = "";
    long requests;
    long bytesSent;
    long bytesReceived;
    boolean bare;

    private Held(Announcement announcement, Bytes packed, long since, long stableSince) {
        this.announcement = announcement;
        this.packed = packed;
        this.weight = AnnouncementCodec.weight(announcement);
        this.since = since;
        this.stableSince = stableSince;
    }

    /** Returns what follows when an announcement comes: the one before if it is the same, as it was packed. */
    static Held next(Optional<Held> before, Announcement announcement, Bytes packed, long now, long expiresAt) {
        Held next = before.filter(known -> known.announcement == announcement).orElseGet(() -> {
            Held changed = new Held(
                    announcement, packed, before.map(known -> known.since).orElse(now), now);
            before.ifPresent(known -> {
                changed.requests = known.requests;
                changed.bytesSent = known.bytesSent;
                changed.bytesReceived = known.bytesReceived;
            });
            return changed;
        });
        next.pingedAt = now;
        next.expiresAt = expiresAt;
        return next;
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
                new Traffic(requests, 0, bytesSent, bytesReceived));
    }
}
