// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.discoveryzk.connectors.wire.Announcement.Weight;
import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.RemoteCluster.RemoteInstance;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads one message with all that is nested in it. It builds no tree, skips what it does not know without keeping it, and ends as
 * soon as a limit is exceeded.
 */
final class AnnouncementReader {
    private final JsonParser json;
    private final WireLimits limits;
    private final boolean withProperties;
    private final Reason overflow;

    private int announcements;
    private long weight;

    /**
     * Makes a reader for one text.
     *
     * @param withProperties whether the properties of instances are read
     * @param overflow what it means that the result takes more memory than allowed
     */
    AnnouncementReader(JsonParser json, WireLimits limits, boolean withProperties, Reason overflow) {
        this.json = json;
        this.limits = limits;
        this.withProperties = withProperties;
        this.overflow = overflow;
    }

    /** Reads a text that is one message. */
    Message read(boolean mayLoop) throws IOException {
        json.nextToken();
        try {
            Message message = read(1, mayLoop);
            if (json.nextToken() != null) {
                throw malformed("there is more after the end of the object");
            }
            return message;
        } catch (IllegalArgumentException e) {
            throw malformed(e.getMessage());
        }
    }

    /** Reads an announcement. The version of the outermost one is checked, that of nested ones is not; it alone may be a loop message. */
    private Message read(int depth, boolean mayLoop) throws IOException {
        if (depth > limits.depth()) {
            throw invalid(Reason.TOO_LARGE, "there are more than " + limits.depth() + " levels of announcements");
        }
        if (++announcements > limits.announcements()) {
            throw invalid(Reason.TOO_LARGE, "there are more than " + limits.announcements() + " announcements");
        }
        add(Weight.ANNOUNCEMENT);
        Map<String, Object> values = object(key -> switch (key) {
            case AnnouncementCodec.OWNER -> text();
            case AnnouncementCodec.VERSION -> version(depth);
            case AnnouncementCodec.CREATED, AnnouncementCodec.BACKOFF -> number();
            case AnnouncementCodec.INHERITED, AnnouncementCodec.LOOP, AnnouncementCodec.RESET -> flag();
            case AnnouncementCodec.SERVER_INFO -> serverInfo();
            case AnnouncementCodec.CLUSTER -> cluster();
            case AnnouncementCodec.NESTED -> array(
                    () -> read(depth + 1, false).announcement().orElseThrow());
            default -> null;
        });
        if (depth == 1) {
            checkVersion(find(values, AnnouncementCodec.VERSION, null));
        }
        boolean loop = find(values, AnnouncementCodec.LOOP, false);
        if (loop && !mayLoop) {
            throw malformed("loop is for the outermost announcement of a reply");
        }
        String owner = get(values, AnnouncementCodec.OWNER);
        long created = find(values, AnnouncementCodec.CREATED, 0L);
        long backoff = Math.max(0, Math.min(find(values, AnnouncementCodec.BACKOFF, 0L), Message.MAX_BACKOFF_SECONDS));
        if (loop) {
            return Message.loop(owner, created, backoff);
        }
        RemoteCluster cluster = get(values, AnnouncementCodec.CLUSTER);
        List<Announcement> nested = get(values, AnnouncementCodec.NESTED);
        return Message.of(
                        new Announcement(
                                owner,
                                cluster,
                                find(values, AnnouncementCodec.SERVER_INFO, Optional.empty()),
                                find(values, AnnouncementCodec.INHERITED, false),
                                nested),
                        created)
                .withBackoff(backoff)
                .withResetBackoff(find(values, AnnouncementCodec.RESET, false));
    }

    private Long version(int depth) throws IOException {
        long version = number();
        if (depth == 1) {
            // What follows may have another meaning in another version.
            checkVersion(version);
        }
        return version;
    }

    private static void checkVersion(Long version) throws InvalidMessage {
        if (version == null || version != AnnouncementCodec.PROTOCOL_VERSION) {
            throw new InvalidMessage(
                    Reason.VERSION,
                    "the protocol version is " + (version == null ? "missing" : version) + ", and only "
                            + AnnouncementCodec.PROTOCOL_VERSION + " is known");
        }
    }

    private Optional<String> serverInfo() throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return Optional.empty();
        }
        String text = text();
        if (text.length() > WireLimits.MAX_NAME_CHARACTERS) {
            throw invalid(Reason.TOO_LARGE, "a name has more than " + WireLimits.MAX_NAME_CHARACTERS + " characters");
        }
        return Optional.of(text);
    }

    /** Reads a cluster. Sling accepts one whose leader is not named, and cannot show it: its first instance leads. */
    private RemoteCluster cluster() throws IOException {
        List<String> leaders = new ArrayList<>();
        Map<String, Object> values = object(key -> switch (key) {
            case AnnouncementCodec.ID -> text();
            case AnnouncementCodec.INSTANCES -> array(() -> instance(leaders));
            default -> null;
        });
        String id = get(values, AnnouncementCodec.ID);
        List<RemoteInstance> instances = find(values, AnnouncementCodec.INSTANCES, List.of());
        if (instances.isEmpty()) {
            throw malformed("cluster " + Excerpt.quoted(id) + " has no instance");
        }
        if (leaders.size() > 1) {
            throw malformed("cluster " + Excerpt.quoted(id) + " has " + leaders.size() + " leaders");
        }
        String leader = leaders.isEmpty() ? instances.get(0).instanceId() : leaders.get(0);
        return new RemoteCluster(id, instances, leader);
    }

    private RemoteInstance instance(List<String> leaders) throws IOException {
        add(Weight.INSTANCE);
        Map<String, Object> values = object(key -> switch (key) {
            case AnnouncementCodec.INSTANCE -> text();
            case AnnouncementCodec.LEADER -> flag();
            case AnnouncementCodec.PROPERTIES -> properties();
            default -> null;
        });
        String id = get(values, AnnouncementCodec.INSTANCE);
        add(Weight.of(id));
        boolean leads = get(values, AnnouncementCodec.LEADER);
        if (leads) {
            leaders.add(id);
        }
        return new RemoteInstance(id, get(values, AnnouncementCodec.PROPERTIES));
    }

    private Map<String, String> properties() throws IOException {
        expect(JsonToken.START_OBJECT, "an object");
        Map<String, String> properties = new HashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            String value = text();
            if (withProperties && Announcement.isLegalName(name)) {
                put(properties, name, value);
                add(Weight.of(name, value));
            }
        }
        return properties;
    }

    private void add(long bytes) throws InvalidMessage {
        weight += bytes;
        if (weight > limits.memoryBytes()) {
            throw new InvalidMessage(
                    overflow, "as objects it takes more than " + limits.memoryBytes() + " bytes of memory");
        }
    }

    /** Reads an object. A key for which there is no value is unknown and skipped; a known one must not come twice. */
    private Map<String, Object> object(Field field) throws IOException {
        expect(JsonToken.START_OBJECT, "an object");
        Map<String, Object> values = new HashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            Object value = field.read(name);
            if (value == null) {
                json.skipChildren();
            } else {
                put(values, name, value);
            }
        }
        return values;
    }

    private <T> void put(Map<String, T> values, String name, T value) throws InvalidMessage {
        if (values.put(name, value) != null) {
            throw malformed("the key " + Excerpt.quoted(name) + " comes twice");
        }
    }

    /** Returns a value, which has the type that its reader returns. */
    @SuppressWarnings("unchecked")
    private static <T> T find(Map<String, Object> values, String key, T otherwise) {
        return (T) values.getOrDefault(key, otherwise);
    }

    @SuppressWarnings("TypeParameterUnusedInFormals")
    private <T> T get(Map<String, Object> values, String key) throws InvalidMessage {
        T value = find(values, key, null);
        if (value == null) {
            throw malformed("the key " + key + " is missing");
        }
        return value;
    }

    private <T> List<T> array(Element<T> element) throws IOException {
        expect(JsonToken.START_ARRAY, "an array");
        List<T> all = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            all.add(element.read());
        }
        return all;
    }

    private String text() throws IOException {
        expect(JsonToken.VALUE_STRING, "a text");
        return json.getText();
    }

    private Long number() throws IOException {
        expect(JsonToken.VALUE_NUMBER_INT, "a whole number");
        return json.getLongValue();
    }

    private Boolean flag() throws IOException {
        if (!json.currentToken().isBoolean()) {
            throw malformed("true or false is expected, not " + json.currentToken());
        }
        return json.getBooleanValue();
    }

    private void expect(JsonToken token, String what) throws InvalidMessage {
        if (json.currentToken() != token) {
            throw malformed(what + " is expected, not " + json.currentToken());
        }
    }

    private InvalidMessage malformed(String text) {
        return invalid(Reason.MALFORMED, text);
    }

    /** Returns what is wrong, with the place in the text; the keys on the way to it come from the peer. */
    private InvalidMessage invalid(Reason reason, String text) {
        String pointer = json.getParsingContext().pathAsPointer().toString();
        return new InvalidMessage(
                reason,
                text + " (at " + (pointer.isEmpty() ? "/" : Excerpt.printable(pointer, 150)) + ", character "
                        + json.currentLocation().getCharOffset() + ")");
    }

    /** Opens a text, or reads what the parser stands at. */
    interface Element<T> {
        T read() throws IOException;
    }

    private interface Field {
        Object read(String key) throws IOException;
    }
}
