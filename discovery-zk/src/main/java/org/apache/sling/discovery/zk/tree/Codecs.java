// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.commons.model.FormatRange;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.Renewal;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;

/**
 * Encodes and decodes all records. Those of members, views and history entries have one of the formats that this version knows. The marker
 * of the root, the id of the cluster, announcements and renewals are read by every version: an instance that cannot read the view needs
 * the length of its leader's lease all the more.
 */
public final class Codecs {
    public static final Codecs CURRENT = new Codecs(Formats.CURRENT);

    private static final String PRODUCT = "discovery-zk";
    private static final int NAMED_PROPERTIES = 3;
    private static final byte END_OF_HEADER = '\n';
    private static final int MAX_ID_CHARACTERS = 300;
    private static final int MAX_HEADER = 4_096;

    private final Formats formats;
    private final ViewCodec views;

    public Codecs(Formats formats) {
        this.formats = formats;
        this.views = new ViewCodec(formats);
    }

    public FormatRange formats() {
        return formats.range();
    }

    /** Returns the codec of views and history entries. */
    public ViewCodec views() {
        return views;
    }

    /** Decodes any record of a known format. */
    public Fields read(byte[] bytes) throws Unreadable {
        return formats.read(bytes);
    }

    /** Returns what marks the root as one of this product. */
    public static byte[] marker() {
        return Formats.LASTING.write(Formats.lasting().put("product", PRODUCT));
    }

    public static boolean isMarker(byte[] bytes) throws Unreadable {
        return Formats.LASTING.read(bytes).find("product").equals(Optional.of(PRODUCT));
    }

    /** Encodes the id of a new cluster. */
    public static byte[] newClusterId() {
        return Formats.LASTING.write(
                Formats.lasting().put("id", UUID.randomUUID().toString()));
    }

    public static String readClusterId(byte[] bytes) throws Unreadable {
        return Formats.LASTING.read(
                bytes, fields -> UUID.fromString(fields.text("id")).toString());
    }

    /**
     * Encodes a record in the format that it names.
     *
     * @throws TooLarge with the names of the largest properties
     */
    public byte[] write(MemberRecord record) throws TooLarge {
        ProcessInfo process = record.process();
        byte[] bytes = formats.write(Fields.ofFormat(record.format())
                .put("instanceId", record.instanceId())
                .put("runtimeId", process.runtimeId())
                .put("host", process.host())
                .put("pid", process.pid())
                .put("home", process.home())
                .put("started", process.startedMillis())
                .put("sessionTimeout", record.sessionTimeoutMillis())
                .put("voidUpTo", record.invalidatedUpTo().stream().boxed().findFirst())
                .put("waitingFor", record.waitingFor())
                .put("properties", Fields.of(record.properties())));
        if (bytes.length > Formats.LIMIT) {
            throw new TooLarge(
                    "The record of this instance takes " + bytes.length + " bytes, but the store accepts only "
                            + Formats.LIMIT + "; the largest properties are " + largest(record.properties())
                            + ". Offer smaller ones.");
        }
        return bytes;
    }

    private static String largest(Map<String, String> properties) {
        return properties.entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<String, String> property) ->
                        -property.getValue().length()))
                .limit(NAMED_PROPERTIES)
                .map(property -> property.getKey() + " (" + property.getValue().length() + " characters)")
                .collect(Collectors.joining(", "));
    }

    public MemberRecord readMember(byte[] bytes) throws Unreadable {
        return formats.read(
                bytes,
                fields -> new MemberRecord(
                        fields.text("instanceId"),
                        new ProcessInfo(
                                fields.text("runtimeId"),
                                fields.text("host"),
                                fields.number("pid"),
                                fields.text("home"),
                                fields.number("started")),
                        Plausibility.sessionTimeout(fields),
                        fields.findNumber("voidUpTo").map(OptionalLong::of).orElse(OptionalLong.empty()),
                        fields.find("waitingFor"),
                        fields.map("properties"),
                        fields.integer(Formats.FIELD)));
    }

    public static byte[] write(Renewal renewal) {
        return Formats.LASTING.write(
                Formats.lasting().put("node", renewal.node()).put("sessionTimeout", renewal.sessionTimeoutMillis()));
    }

    public static Renewal readRenewal(byte[] bytes) throws Unreadable {
        return Formats.LASTING.read(
                bytes, fields -> new Renewal(fields.text("node"), Plausibility.sessionTimeout(fields)));
    }

    /**
     * Encodes an announcement: a short record with the ids of holder and owner, the end of a line, and the content as it is. So the
     * store's thread never compresses or expands a content.
     *
     * @throws TooLarge when the store does not accept it or others would not read it as it is
     */
    public static byte[] write(SharedAnnouncement announcement) throws TooLarge {
        if (announcement.holder().length() > MAX_ID_CHARACTERS
                || announcement.ownerId().length() > MAX_ID_CHARACTERS) {
            throw tooLarge(announcement, "has an id of more than " + MAX_ID_CHARACTERS + " characters");
        }
        byte[] header = Formats.LASTING.write(
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

    /**
     * Decodes an announcement.
     *
     * @param ownCluster whether the holder is in the local cluster
     */
    public static SharedAnnouncement readAnnouncement(String name, byte[] bytes, boolean ownCluster) throws Unreadable {
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
