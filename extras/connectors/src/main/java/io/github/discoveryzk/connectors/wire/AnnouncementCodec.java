// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.github.discoveryzk.connectors.wire.Announcement.Weight;
import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.RemoteCluster.RemoteInstance;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * Writes messages as Sling does and reads those of Sling. The text that it writes is ASCII: a peer that mistakes the character
 * set, as Sling does, reads the same.
 *
 * <p>Instances may be used by several threads.
 */
public final class AnnouncementCodec {
    static final String OWNER = "ownerId";
    static final String VERSION = "protocolVersion";
    static final String CREATED = "created";
    static final String INHERITED = "inherited";
    static final String LOOP = "loop";
    static final String SERVER_INFO = "serverInfo";
    static final String CLUSTER = "localClusterView";
    static final String BACKOFF = "backoffInterval";
    static final String RESET = "resetBackoff";
    static final String NESTED = "topologyAnnouncements";
    static final String ID = "id";
    static final String INSTANCES = "instances";
    static final String INSTANCE = "slingId";
    static final String LEADER = "isLeader";
    static final String PROPERTIES = "properties";
    private static final String CLUSTER_OF_INSTANCE = "cluster";

    static final int PROTOCOL_VERSION = 1;

    /** ASCII when it is written, and without a key or number of any length when it is read. */
    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            // Names of peers would be kept in a table that all messages share.
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    // Each announcement within another one is two levels deeper.
                    .maxNestingDepth(250)
                    .maxNameLength(WireLimits.MAX_NAME_CHARACTERS)
                    .maxStringLength(WireLimits.DEFAULT.bodyBytes())
                    .maxNumberLength(40)
                    .build())
            .build();

    /** What a message has besides the local cluster takes no more, unless something is nested. */
    private static final int REST_OF_MESSAGE = 2_000;

    private final WireLimits limits;

    /** Makes a codec that reads within limits. */
    public AnnouncementCodec(WireLimits limits) {
        this.limits = limits;
    }

    /** Returns the text of a message. */
    public String write(Message message) {
        return text(json -> write(message, json));
    }

    /** Returns the compressed text of a message, for {@link #unpack}. */
    public byte[] pack(Message message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = FACTORY.createGenerator(new DeflaterOutputStream(bytes))) {
            write(message, json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads what {@link #pack} has written, without ever holding the whole text.
     *
     * @param withProperties whether the properties of instances are read
     * @param room the greatest {@link Weight} of the result; reading ends as soon as it is exceeded
     * @throws InvalidMessage when it is not such a text, or exceeds a limit; it is {@link Reason#UNAVAILABLE} if there is no room
     */
    public Message unpack(InputStream packed, boolean withProperties, long room) throws InvalidMessage {
        WireLimits narrow =
                new WireLimits(limits.bodyBytes(), limits.depth(), limits.announcements(), Math.max(1, room));
        return read(
                () -> FACTORY.createParser(new InflaterInputStream(packed)),
                narrow,
                withProperties,
                Reason.UNAVAILABLE,
                false);
    }

    /**
     * Reads the message of a request or of a reply.
     *
     * @param mayLoop whether it may be a loop message, as a reply may
     * @throws InvalidMessage when it is not one of Sling's protocol or exceeds a limit
     */
    public Message read(String text, boolean mayLoop) throws InvalidMessage {
        return read(() -> FACTORY.createParser(text), limits, true, Reason.TOO_LARGE, mayLoop);
    }

    private static Message read(
            AnnouncementReader.Element<JsonParser> text,
            WireLimits within,
            boolean withProperties,
            Reason overflow,
            boolean mayLoop)
            throws InvalidMessage {
        try (JsonParser json = text.read()) {
            return new AnnouncementReader(json, within, withProperties, overflow).read(mayLoop);
        } catch (InvalidMessage e) {
            throw e;
        } catch (StreamConstraintsException e) {
            throw new InvalidMessage(Reason.TOO_LARGE, e.getOriginalMessage());
        } catch (JsonProcessingException e) {
            throw new InvalidMessage(Reason.MALFORMED, "it is not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new InvalidMessage(Reason.MALFORMED, "it is not JSON: " + e.getMessage());
        }
    }

    /**
     * Returns the message without those nested announcements with which a peer with the same limits would refuse it as a whole. They
     * are excluded from the first on that does not fit, but a later one that is smaller may stay. The local cluster is not cut.
     */
    public Message fitting(Message message) {
        if (message.loop()) {
            return message;
        }
        Announcement announcement = message.announcement().get();
        Size sum = Size.of(message.with(announcement.withNested(List.of())));
        List<Announcement> kept = new ArrayList<>();
        for (Announcement nested : announcement.nested()) {
            Size more = sum.plus(Size.of(Message.of(nested, message.created())), Math.min(1, kept.size()));
            if (nested.depth() < limits.depth() && more.isWithin(limits)) {
                kept.add(nested);
                sum = more;
            }
        }
        return message.with(announcement.withNested(kept));
    }

    /** Returns the cluster; without its properties if a peer with the same limits would refuse each message of it. */
    public RemoteCluster fitting(RemoteCluster cluster) {
        boolean fits = text(json -> write(cluster, json)).length() + REST_OF_MESSAGE <= limits.bodyBytes()
                && Weight.of(cluster) <= limits.memoryBytes();
        return fits ? cluster : Announcement.withoutProperties(cluster);
    }

    private static String text(Content content) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            content.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(Message message, JsonGenerator json) throws IOException {
        Announcement announcement = message.announcement().orElse(null);
        json.writeStartObject();
        json.writeStringField(OWNER, message.ownerId());
        json.writeNumberField(VERSION, PROTOCOL_VERSION);
        json.writeNumberField(CREATED, message.created());
        json.writeBooleanField(INHERITED, announcement != null && announcement.inherited());
        if (announcement == null) {
            json.writeBooleanField(LOOP, true);
        } else {
            if (announcement.serverInfo().isPresent()) {
                json.writeStringField(SERVER_INFO, announcement.serverInfo().get());
            }
            json.writeFieldName(CLUSTER);
            write(announcement.cluster(), json);
        }
        if (message.backoffSeconds() > 0) {
            json.writeNumberField(BACKOFF, message.backoffSeconds());
        }
        if (message.resetBackoff()) {
            json.writeBooleanField(RESET, true);
        }
        json.writeArrayFieldStart(NESTED);
        if (announcement != null) {
            for (Announcement nested : announcement.nested()) {
                write(Message.of(nested, message.created()), json);
            }
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(RemoteCluster cluster, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField(ID, cluster.id());
        json.writeArrayFieldStart(INSTANCES);
        for (RemoteInstance instance : cluster.instances()) {
            json.writeStartObject();
            json.writeStringField(INSTANCE, instance.instanceId());
            json.writeBooleanField(LEADER, instance.instanceId().equals(cluster.leader()));
            json.writeStringField(CLUSTER_OF_INSTANCE, cluster.id());
            json.writeObjectFieldStart(PROPERTIES);
            // In a fixed order: equal clusters have the same text.
            for (Map.Entry<String, String> property : new TreeMap<>(instance.properties()).entrySet()) {
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

    /** What of a message counts towards the limits. */
    private record Size(long characters, long announcements, long memory) {
        static Size of(Message message) {
            Announcement announcement = message.announcement().orElseThrow();
            return new Size(
                    text(json -> write(message, json)).length(),
                    announcement.all().count(),
                    Weight.of(announcement));
        }

        Size plus(Size other, int separators) {
            return new Size(
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
