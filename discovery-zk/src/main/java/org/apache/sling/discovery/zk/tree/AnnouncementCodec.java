// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import java.util.Arrays;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;

/**
 * Writes and reads announcements that members share: a short record with the ids of holder and owner, the end of a line, and the content
 * as it is. So the store's thread never compresses or expands a content.
 */
public final class AnnouncementCodec {
    private static final byte END = '\n';
    private static final int MAX_ID_CHARACTERS = 300;
    private static final int MAX_HEADER = 4_096;

    AnnouncementCodec() {}

    /**
     * Encodes an announcement.
     *
     * @throws TooLarge when the store does not accept it or others would not read it as it is
     */
    public byte[] write(SharedAnnouncement announcement) throws TooLarge {
        if (announcement.holder().length() > MAX_ID_CHARACTERS
                || announcement.ownerId().length() > MAX_ID_CHARACTERS) {
            throw new TooLarge(sentence(announcement, "has an id of more than " + MAX_ID_CHARACTERS + " characters"));
        }
        byte[] header = Payload.LASTING.write(
                Payload.lasting().put("holder", announcement.holder()).put("ownerId", announcement.ownerId()));
        int length = header.length + 1 + announcement.content().length();
        if (length > Payload.LIMIT) {
            throw new TooLarge(
                    sentence(announcement, "takes " + length + " bytes, but the store accepts only " + Payload.LIMIT));
        }
        byte[] bytes = Arrays.copyOf(header, length);
        bytes[header.length] = END;
        announcement.content().copyTo(bytes, header.length + 1);
        return bytes;
    }

    private static String sentence(SharedAnnouncement announcement, String why) {
        return "The announcement of " + AnnouncementName.label(announcement.ownerId()) + " " + why
                + ". The other members are not notified of it. Have the instances of its cluster offer smaller properties.";
    }

    /**
     * Decodes the data of a node.
     *
     * @param ownCluster whether the holder is in the local cluster
     */
    public SharedAnnouncement read(String name, byte[] bytes, boolean ownCluster) throws Unreadable {
        int end = 0;
        while (end < bytes.length && end < MAX_HEADER && bytes[end] != END) {
            end++;
        }
        Fields header = Payload.LASTING.read(Arrays.copyOf(bytes, end));
        String ownerId = header.text("ownerId");
        long session = AnnouncementName.session(name).orElseThrow(() -> new Unreadable("its name is not valid"));
        if (!name.equals(AnnouncementName.of(session, ownerId))) {
            throw new Unreadable("its name belongs to another owner");
        }
        return new SharedAnnouncement(
                header.text("holder"), ownCluster, ownerId, Bytes.of(bytes, Math.min(end + 1, bytes.length)));
    }
}
