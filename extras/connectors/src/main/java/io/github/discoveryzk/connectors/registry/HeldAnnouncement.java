// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.registry;

import io.github.discoveryzk.connectors.settings.Timing;
import io.github.discoveryzk.connectors.wire.Announcement;
import io.github.discoveryzk.connectors.wire.AnnouncementCodec;
import io.github.discoveryzk.connectors.wire.Message;
import io.github.discoveryzk.connectors.wire.WireLimits;
import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.report.ConnectorReport.Incoming;
import io.github.discoveryzk.report.ConnectorReport.Times;
import io.github.discoveryzk.report.ConnectorReport.Traffic;
import java.util.Optional;
import java.util.OptionalLong;

/** An announcement with what is known about it. What can change is guarded by the lock of the registry. */
final class HeldAnnouncement {
    private static final AnnouncementCodec CODEC = new AnnouncementCodec(WireLimits.DEFAULT);

    private final Announcement announcement;
    private final long since;
    private volatile Bytes packed;
    private long stableSince;
    private long expiresAt;
    private long pingedAt;
    private long backoffSeconds;
    private Traffic traffic;
    private String address = "";

    /**
     * Makes what is held when a message has come.
     *
     * @param before what was held of the same peer before
     */
    HeldAnnouncement(Optional<HeldAnnouncement> before, Announcement announcement, long now) {
        this.announcement = announcement;
        this.since = before.map(each -> each.since).orElse(now);
        this.traffic = before.map(each -> each.traffic).orElse(Traffic.NOTHING);
        this.stableSince = now;
    }

    /**
     * Returns the announcement as it is shared, with the time for which a peer that pings may be silent. It is written once, and not under
     * the lock: two threads may both write it, the results are equal.
     */
    Bytes packed(Timing timing) {
        if (packed == null) {
            long silence = announcement.inherited() ? 0 : timing.maxSilence();
            packed = Bytes.of(CODEC.pack(Message.of(announcement, 0).withBackoff(silence)), 0);
        }
        return packed;
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

    void expireAt(long time) {
        expiresAt = time;
    }

    long expiresAt() {
        return expiresAt;
    }

    boolean isFrom(String sender) {
        return address.equals(sender);
    }

    String address() {
        return address;
    }

    Announcement announcement() {
        return announcement;
    }

    RemoteCluster cluster() {
        return announcement.cluster();
    }

    String ownerId() {
        return announcement.ownerId();
    }

    boolean lists(String instanceId) {
        return announcement.lists(instanceId);
    }

    /** Returns what is shown of an incoming connector. */
    Incoming shown(long toWall) {
        return new Incoming(
                ownerId(),
                announcement.serverInfo().orElse(""),
                address,
                cluster().id(),
                new Times(
                        since + toWall,
                        OptionalLong.of(pingedAt + toWall),
                        OptionalLong.empty(),
                        OptionalLong.of(expiresAt + toWall)),
                backoffSeconds,
                traffic);
    }
}
