// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import java.util.Optional;
import java.util.function.Function;
import org.apache.sling.discovery.base.connector.wire.AnnouncedCluster;
import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.apache.sling.discovery.base.connector.wire.AnnouncementCodec;
import org.apache.sling.discovery.base.connector.wire.Weight;
import org.apache.sling.discovery.base.connector.wire.WireLimits;
import org.apache.sling.discovery.commons.model.Bytes;

/**
 * How what is held is kept.
 *
 * @param maxBytes how much memory all incoming announcements may take together. One that takes more alone is kept without properties
 * @param packer encodes what is shared
 */
record Storage(long maxBytes, Function<Announcement, Bytes> packer) {

    /** All instances keep what each of them has received, so one may take but this part of the heap. */
    private static final int PART_OF_HEAP = 64;

    private static final AnnouncementCodec CODEC = new AnnouncementCodec(WireLimits.DEFAULT);

    static final Storage DEFAULT =
            new Storage(Runtime.getRuntime().maxMemory() / PART_OF_HEAP, each -> Bytes.of(CODEC.pack(each), 0));

    /** Returns what is held of a message that was received at that time, instead of what was held before. */
    HeldAnnouncement next(Optional<HeldAnnouncement> before, Announcement message, long now) {
        Announcement whole = message.content().withCluster(AnnouncedCluster::led);
        boolean bare = Weight.of(whole) > maxBytes;
        return HeldAnnouncement.next(before, bare ? whole.withoutProperties() : whole, bare, now);
    }

    /** Returns what is shared of what is held, with the time for which a peer that pings may be silent. */
    Bytes packed(HeldAnnouncement held, Timing timing) {
        return held.packed(each -> packer.apply(each.inherited() ? each : each.withBackoff(timing.maxSilence())));
    }

    /** Returns that something is shown incompletely. */
    String problem(HeldAnnouncement held) {
        return "The announcement of " + held.ownerId()
                + " is kept and shown without the properties of its instances: with them it would take more than "
                + maxBytes + " bytes of memory. Give this instance a larger heap, or have its cluster offer less.";
    }
}
