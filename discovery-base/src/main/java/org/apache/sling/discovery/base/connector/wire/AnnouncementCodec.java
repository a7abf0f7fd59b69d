// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage.Reason;

/**
 * Writes announcements as Sling does and reads those of Sling. The text that it writes is ASCII: a peer that mistakes the character
 * set, as Sling does, reads the same.
 *
 * <p>Instances may be used by several threads.
 */
public final class AnnouncementCodec {

    /** What a message has besides the local cluster takes no more, unless something is nested. */
    private static final int REST_OF_MESSAGE = 2_000;

    private static final int ESCAPE = "\\u0000".length();

    private final WireLimits limits;

    /** Makes a codec that reads within limits. */
    public AnnouncementCodec(WireLimits limits) {
        this.limits = limits;
    }

    /**
     * Returns the text of an announcement.
     *
     * @throws IllegalArgumentException when its cluster has no leader. A nested one may have none, because it is passed on as it was
     *     received
     */
    public String write(Announcement announcement) {
        requireLeader(announcement);
        return text(json -> write(announcement, json));
    }

    /**
     * Returns the compressed text of an announcement, for {@link #unpack}.
     *
     * @throws IllegalArgumentException as {@link #write} does
     */
    public byte[] pack(Announcement announcement) {
        requireLeader(announcement);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = Json.FACTORY.createGenerator(new DeflaterOutputStream(bytes))) {
            write(announcement, json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void requireLeader(Announcement announcement) {
        announcement.cluster().filter(cluster -> cluster.leader().isEmpty()).ifPresent(cluster -> {
            throw new IllegalArgumentException("cluster " + cluster.id() + " has no leader");
        });
    }

    /**
     * Reads what {@link #pack} has written, without ever holding the whole text.
     *
     * @param withProperties whether the properties of instances are read
     * @param room the greatest {@link Weight} of the result; reading ends as soon as it is exceeded
     * @throws InvalidMessage when it is not such a text, or exceeds a limit
     */
    public Announcement unpack(InputStream packed, boolean withProperties, long room) throws InvalidMessage {
        WireLimits narrow =
                new WireLimits(limits.bodyBytes(), limits.depth(), limits.announcements(), Math.max(1, room));
        try (JsonParser json = Json.FACTORY.createParser(new InflaterInputStream(packed))) {
            return Json.read(
                    json, parser -> new AnnouncementReader(parser, narrow, withProperties, Reason.FULL).read(false));
        } catch (IOException e) {
            throw Json.invalid(e);
        }
    }

    /**
     * Reads the announcement of a request.
     *
     * @throws InvalidMessage when it is a loop announcement, is not one of Sling's protocol, or exceeds a limit
     */
    public Announcement read(String text) throws InvalidMessage {
        return read(text, false);
    }

    /**
     * Reads the announcement of a reply, which may be a loop announcement.
     *
     * @throws InvalidMessage when it is not one of Sling's protocol or exceeds a limit
     */
    public Announcement readReply(String text) throws InvalidMessage {
        return read(text, true);
    }

    private Announcement read(String text, boolean mayLoop) throws InvalidMessage {
        return Json.read(text, json -> new AnnouncementReader(json, limits, true, Reason.TOO_LARGE).read(mayLoop));
    }

    /**
     * Returns the announcement without those of its nested ones with which a peer with the same limits would refuse it as a whole. They
     * are left out from the first on that does not fit, but a later one that is smaller may stay. The local cluster is not cut. Encryption
     * makes a text by a third longer.
     */
    public Announcement fitting(Announcement announcement) {
        Announcement alone = announcement.withNested(List.of());
        Extent sum = Extent.of(alone);
        List<Announcement> kept = new ArrayList<>();
        for (Announcement nested : announcement.nested()) {
            Extent more = sum.plus(Extent.of(nested), Math.min(1, kept.size()));
            if (nested.depth() < limits.depth() && more.isWithin(limits)) {
                kept.add(nested);
                sum = more;
            }
        }
        return kept.size() == announcement.nested().size() ? announcement : announcement.withNested(kept);
    }

    /**
     * Returns the cluster without the properties with which a peer with the same limits would refuse each message of it. The longest ones
     * are left out.
     */
    public AnnouncedCluster fitting(AnnouncedCluster cluster) {
        List<Property> longestFirst = cluster.instances().stream()
                .flatMap(instance -> instance.properties().entrySet().stream()
                        .map(each -> new Property(instance, each.getKey(), each.getValue())))
                .sorted(Comparator.comparing(Property::written).reversed())
                .toList();
        Map<AnnouncedInstance, Map<String, String>> kept = new IdentityHashMap<>();
        cluster.instances().forEach(each -> kept.put(each, new HashMap<>(each.properties())));
        long tooLong = text(json -> write(cluster, json)).length() + REST_OF_MESSAGE - limits.bodyBytes();
        long tooHeavy = Weight.of(cluster) + Weight.ANNOUNCEMENT - limits.memoryBytes();
        for (Property each : longestFirst) {
            if (tooLong > 0 || tooHeavy > 0 || each.name.length() > WireLimits.MAX_NAME_CHARACTERS) {
                kept.get(each.instance).remove(each.name);
                tooLong -= each.written();
                tooHeavy -= Weight.of(each.name, each.value);
            }
        }
        AnnouncedCluster fitting = new AnnouncedCluster(
                cluster.id(),
                cluster.instances().stream()
                        .map(each -> new AnnouncedInstance(each.id(), each.leader(), kept.get(each)))
                        .toList());
        return fitting.equals(cluster) ? cluster : fitting;
    }

    private static String text(Content content) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = Json.FACTORY.createGenerator(text)) {
            content.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(Announcement announcement, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField(Keys.OWNER, announcement.ownerId());
        json.writeNumberField(Keys.VERSION, Announcement.PROTOCOL_VERSION);
        json.writeNumberField(Keys.CREATED, announcement.created());
        json.writeBooleanField(Keys.INHERITED, announcement.inherited());
        if (announcement.loop()) {
            json.writeBooleanField(Keys.LOOP, true);
        }
        if (announcement.serverInfo().isPresent()) {
            json.writeStringField(Keys.SERVER_INFO, announcement.serverInfo().get());
        }
        if (announcement.cluster().isPresent()) {
            json.writeFieldName(Keys.CLUSTER);
            write(announcement.cluster().get(), json);
        }
        if (announcement.backoffSeconds() > 0) {
            json.writeNumberField(Keys.BACKOFF, announcement.backoffSeconds());
        }
        if (announcement.resetBackoff()) {
            json.writeBooleanField(Keys.RESET, true);
        }
        json.writeArrayFieldStart(Keys.NESTED);
        for (Announcement nested : announcement.nested()) {
            write(nested, json);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(AnnouncedCluster cluster, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField(Keys.ID, cluster.id());
        json.writeArrayFieldStart(Keys.INSTANCES);
        for (AnnouncedInstance instance : cluster.instances()) {
            json.writeStartObject();
            json.writeStringField(Keys.INSTANCE, instance.id());
            json.writeBooleanField(Keys.LEADER, instance.leader());
            json.writeStringField(Keys.CLUSTER_OF_INSTANCE, cluster.id());
            json.writeObjectFieldStart(Keys.PROPERTIES);
            for (Map.Entry<String, String> property : instance.properties().entrySet()) {
                json.writeStringField(property.getKey(), property.getValue());
            }
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private interface Content {
        void write(JsonGenerator json) throws IOException;
    }

    /** A property of an instance. */
    private record Property(AnnouncedInstance instance, String name, String value) {

        /** Returns how much of a message it takes at least. */
        long written() {
            return name.length()
                    + value.length()
                    + value.chars().filter(c -> c > '~').count() * (ESCAPE - 1);
        }
    }

    /** What of an announcement counts towards the limits. */
    private record Extent(long characters, long announcements, long memory) {
        static Extent of(Announcement announcement) {
            return new Extent(
                    text(json -> write(announcement, json)).length(),
                    announcement.all().count(),
                    Weight.of(announcement));
        }

        Extent plus(Extent other, int separators) {
            return new Extent(
                    characters + other.characters + separators,
                    announcements + other.announcements,
                    memory + other.memory);
        }

        boolean isWithin(WireLimits limits) {
            return characters <= limits.bodyBytes()
                    && announcements <= limits.announcements()
                    && memory <= limits.memoryBytes();
        }
    }
}
