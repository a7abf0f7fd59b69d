// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import java.util.Optional;
import java.util.function.Function;
import org.apache.sling.discovery.base.connector.wire.AnnouncedCluster;
import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.commons.report.ConnectorReport.Incoming;
import org.apache.sling.discovery.commons.report.ConnectorReport.Traffic;

/** An announcement with what is known about it. What can change is guarded by the lock of the registry. */
final class HeldAnnouncement {
    private final Announcement announcement;
    private final boolean bare;
    private final long since;
    private volatile Bytes packed;
    private long stableSince;
    long expiresAt;
    private long pingedAt;
    private long backoffSeconds;
    private Traffic traffic = Traffic.NOTHING;
    private String address = "";

    private HeldAnnouncement(Announcement announcement, boolean bare, long since, long now) {
        this.announcement = announcement;
        this.bare = bare;
        this.since = since;
        this.stableSince = now;
    }

    /**
     * Returns what is held when a message has come: what was held before if it tells the same.
     *
     * @param bare whether the announcement is without properties, because they take too much memory
     */
    static HeldAnnouncement next(Optional<HeldAnnouncement> before, Announcement announcement, boolean bare, long now) {
        if (before.filter(each -> each.announcement.equals(announcement)).isPresent()) {
            return before.get();
        }
        HeldAnnouncement next = new HeldAnnouncement(
                announcement, bare, before.map(each -> each.since).orElse(now), now);
        before.ifPresent(each -> next.traffic = each.traffic);
        return next;
    }

    /** Returns the announcement as it is shared. Two threads may both make it: the results are equal. */
    Bytes packed(Function<Announcement, Bytes> packer) {
        Bytes made = packed;
        if (made == null) {
            made = packer.apply(announcement);
            packed = made;
        }
        return made;
    }

    /** Returns for how long nothing has changed, or since the owner has reset its back-off. */
    long stableMillis(long now) {
        return now - stableSince;
    }

    void resetBackoff(long now) {
        stableSince = now;
    }

    /** Records a message that has brought this announcement. */
    void pinged(long now, long backoff, Timing timing) {
        pingedAt = now;
        backoffSeconds = backoff;
        expiresAt = now + timing.keptMillis(backoff);
    }

    /** Records a message of an owner that connects to this instance. */
    void pingedFrom(String sender, long bytes) {
        address = sender;
        traffic = new Traffic(traffic.requests() + 1, 0, traffic.bytesSent(), traffic.bytesReceived() + bytes);
    }

    /** Records a reply to the owner. */
    void repliedTo(long bytes) {
        traffic = new Traffic(traffic.requests(), 0, traffic.bytesSent() + bytes, traffic.bytesReceived());
    }

    /** Returns when the owner has missed a ping. */
    long missedAt(Timing timing) {
        return Math.min(expiresAt, pingedAt + timing.missedMillis(backoffSeconds));
    }

    boolean isFrom(String sender) {
        return address.equals(sender);
    }

    String address() {
        return address;
    }

    boolean isBare() {
        return bare;
    }

    long backoffSeconds() {
        return backoffSeconds;
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
