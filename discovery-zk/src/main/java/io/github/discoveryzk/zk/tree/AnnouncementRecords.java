// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.tree;

import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.ForeignText;
import io.github.discoveryzk.model.SharedAnnouncement;
import java.util.Arrays;

/**
 * Encodes and decodes announcements: a short record with the ids of holder and owner, the end of a line, and the content as it is. So the
 * store's thread never compresses or expands a content. Every version reads them.
 */
public final class AnnouncementRecords {
    private static final byte END_OF_HEADER = '\n';
    private static final int MAX_HEADER = 4_096;

    private AnnouncementRecords() {}

    /**
     * Encodes an announcement.
     *
     * @throws TooLarge when the store does not accept it or others would not read it as it is
     */
    public static byte[] write(SharedAnnouncement announcement) throws TooLarge {
        if (!ForeignText.isId(announcement.holder()) || !ForeignText.isId(announcement.ownerId())) {
            throw tooLarge(announcement, "has an id that no instance can have");
        }
        byte[] header = Formats.write(
                Formats.lasting().put("holder", announcement.holder()).put("ownerId", announcement.ownerId()));
        int length = header.length + 1 + announcement.content().length();
        if (length > Formats.LIMIT) {
            throw tooLarge(announcement, "takes " + length + " bytes, but the store accepts only " + Formats.LIMIT);
        }
        byte[] bytes = Arrays.copyOf(header, length);
        bytes[header.length] = END_OF_HEADER;
        announcement.content().copyTo(bytes, header.length + 1);
        return bytes;
    }

    private static TooLarge tooLarge(SharedAnnouncement announcement, String why) {
        return new TooLarge(
                "The announcement of " + Names.label(announcement.ownerId()) + " " + why
                        + ". The other members are not notified of it. Have the instances of its cluster offer smaller properties.");
    }

    /** Decodes an announcement; {@code ownCluster} says whether the holder is in the local cluster. */
    public static SharedAnnouncement read(String name, byte[] bytes, boolean ownCluster) throws Unreadable {
        int end = 0;
        while (end < bytes.length && end < MAX_HEADER && bytes[end] != END_OF_HEADER) {
            end++;
        }
        Fields header = Formats.LASTING.read(Arrays.copyOf(bytes, end));
        String ownerId = header.text("ownerId");
        if (!Names.isAnnouncementOfOwner(name, ownerId)) {
            throw new Unreadable("its name belongs to another owner");
        }
        return new SharedAnnouncement(
                header.text("holder"), ownCluster, ownerId, Bytes.of(bytes, Math.min(end + 1, bytes.length)));
    }
}
