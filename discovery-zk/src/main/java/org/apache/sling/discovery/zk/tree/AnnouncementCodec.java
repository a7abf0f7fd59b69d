// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import static org.apache.sling.discovery.zk.tree.RequiredFields.required;

import org.apache.sling.discovery.commons.model.SharedAnnouncement;

/**
 * Encodes and decodes announcements that members share, in a format that all versions read: the clusters of a root may have different
 * versions.
 */
public final class AnnouncementCodec {
    AnnouncementCodec() {}

    /**
     * Encodes an announcement.
     *
     * @throws TooLarge when the store does not accept it or others would not read it as it is
     */
    public byte[] write(SharedAnnouncement announcement) throws TooLarge {
        byte[] bytes = Payload.LASTING.write(
                new Wire(Formats.LASTING, announcement.holder(), announcement.ownerId(), announcement.content()));
        if (bytes.length > Payload.LIMIT) {
            throw new TooLarge(sentence(
                    announcement, "takes " + bytes.length + " bytes, but the store accepts only " + Payload.LIMIT));
        }
        if (!isReadAsWritten(announcement, bytes)) {
            throw new TooLarge(sentence(announcement, "cannot be stored: it is too long or no valid text"));
        }
        return bytes;
    }

    private boolean isReadAsWritten(SharedAnnouncement announcement, byte[] bytes) {
        try {
            Wire wire = Payload.LASTING.read(bytes, Wire.class);
            return announcement.holder().equals(wire.holder())
                    && announcement.ownerId().equals(wire.ownerId())
                    && announcement.content().equals(wire.content());
        } catch (Unreadable e) {
            return false;
        }
    }

    private static String sentence(SharedAnnouncement announcement, String why) {
        return "The announcement of " + AnnouncementName.label(announcement.ownerId()) + " " + why
                + ". The other members are not told of it. Have the instances of its cluster offer smaller properties.";
    }

    /**
     * Decodes the data of a node.
     *
     * @param ownCluster whether the holder is in the own cluster
     */
    public SharedAnnouncement read(String name, byte[] bytes, boolean ownCluster) throws Unreadable {
        Wire wire = Payload.LASTING.read(bytes, Wire.class);
        String ownerId = required(wire.ownerId(), "ownerId");
        long session = AnnouncementName.session(name).orElseThrow(() -> new Unreadable("its name is not valid"));
        if (!name.equals(AnnouncementName.of(session, ownerId))) {
            throw new Unreadable("its name belongs to another owner");
        }
        return new SharedAnnouncement(
                required(wire.holder(), "holder"), ownCluster, ownerId, required(wire.content(), "content"));
    }

    private record Wire(int format, String holder, String ownerId, String content) implements Payload.Wire {}
}
