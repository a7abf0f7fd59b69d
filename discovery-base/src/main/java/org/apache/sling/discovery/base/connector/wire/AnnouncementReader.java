// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.sling.discovery.base.connector.wire.Announcement.Sending;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage.Reason;

/**
 * Reads one announcement with all that is nested in it. It builds no tree, skips what it does not know without keeping it, and ends as
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

    /** Reads the outermost announcement. Its version is checked, that of nested ones is not; it alone may be a loop announcement. */
    Announcement read(boolean mayLoop) throws IOException {
        return read(1, mayLoop);
    }

    private Announcement read(int depth, boolean mayLoop) throws IOException {
        if (depth > limits.depth()) {
            throw tooLarge("there are more than " + limits.depth() + " levels of announcements");
        }
        if (++announcements > limits.announcements()) {
            throw tooLarge("there are more than " + limits.announcements() + " announcements");
        }
        add(Weight.ANNOUNCEMENT);
        Values values = object(Map.of(
                Keys.OWNER, this::text,
                Keys.VERSION, () -> version(depth),
                Keys.CREATED, this::number,
                Keys.INHERITED, this::flag,
                Keys.LOOP, this::flag,
                Keys.SERVER_INFO, this::serverInfo,
                Keys.CLUSTER, this::readCluster,
                Keys.BACKOFF, this::number,
                Keys.RESET, this::flag,
                Keys.NESTED, () -> array(() -> read(depth + 1, false))));
        if (depth == 1) {
            checkVersion(values.get(Keys.VERSION, null));
        }
        boolean loop = values.get(Keys.LOOP, false);
        if (loop && !mayLoop) {
            throw malformed("loop is for the outermost announcement of a reply");
        }
        String owner = values.require(Keys.OWNER);
        long created = values.get(Keys.CREATED, 0L);
        long backoff = Math.max(0, Math.min(values.get(Keys.BACKOFF, 0L), Announcement.MAX_BACKOFF_SECONDS));
        if (loop) {
            return checked(() -> Announcement.loop(owner, created, backoff));
        }
        AnnouncedCluster cluster = values.require(Keys.CLUSTER);
        List<Announcement> nested = values.require(Keys.NESTED);
        return checked(() -> new Announcement(
                owner,
                Optional.of(cluster),
                Optional.ofNullable(values.get(Keys.SERVER_INFO, null)),
                values.get(Keys.INHERITED, false),
                nested,
                new Sending(created, backoff, values.get(Keys.RESET, false))));
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
        if (version == null || version != Announcement.PROTOCOL_VERSION) {
            throw new InvalidMessage(
                    Reason.VERSION,
                    "the protocol version is " + (version == null ? "missing" : version) + ", and only "
                            + Announcement.PROTOCOL_VERSION + " is known");
        }
    }

    private String serverInfo() throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return null;
        }
        String text = text();
        if (text.length() > WireLimits.MAX_NAME_CHARACTERS) {
            throw tooLarge("a name has more than " + WireLimits.MAX_NAME_CHARACTERS + " characters");
        }
        return text;
    }

    private AnnouncedCluster readCluster() throws IOException {
        Values values = object(Map.of(Keys.ID, this::text, Keys.INSTANCES, () -> array(this::readInstance)));
        String id = values.require(Keys.ID);
        List<AnnouncedInstance> instances = values.get(Keys.INSTANCES, List.of());
        return checked(() -> new AnnouncedCluster(id, instances));
    }

    private AnnouncedInstance readInstance() throws IOException {
        add(Weight.INSTANCE);
        Values values = object(Map.of(
                Keys.INSTANCE, this::weighedText, Keys.LEADER, this::flag, Keys.PROPERTIES, this::readProperties));
        String id = values.require(Keys.INSTANCE);
        boolean leader = values.require(Keys.LEADER);
        Map<String, String> properties = values.require(Keys.PROPERTIES);
        return checked(() -> new AnnouncedInstance(id, leader, properties));
    }

    private String weighedText() throws IOException {
        String text = text();
        add(Weight.of(text));
        return text;
    }

    private Map<String, String> readProperties() throws IOException {
        expect(JsonToken.START_OBJECT, "an object");
        Map<String, String> properties = new HashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            String value = text();
            if (withProperties && AnnouncedInstance.isLegalName(name)) {
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

    /** Reads an object. Unknown keys are skipped; a known one must not come twice. */
    private Values object(Map<String, Element<?>> known) throws IOException {
        expect(JsonToken.START_OBJECT, "an object");
        Map<String, Object> values = new HashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            if (known.containsKey(name)) {
                put(values, name, known.get(name).read());
            } else {
                json.skipChildren();
            }
        }
        return new Values(values);
    }

    private <T> void put(Map<String, T> values, String name, T value) throws InvalidMessage {
        if (values.containsKey(name)) {
            throw malformed("the key " + Excerpt.quoted(name) + " comes twice");
        }
        values.put(name, value);
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

    private <T> T checked(Supplier<T> made) throws InvalidMessage {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw malformed(e.getMessage());
        }
    }

    private InvalidMessage malformed(String text) {
        return new InvalidMessage(Reason.MALFORMED, text + Json.place(json));
    }

    private InvalidMessage tooLarge(String text) {
        return new InvalidMessage(Reason.TOO_LARGE, text + Json.place(json));
    }

    private interface Element<T> {
        T read() throws IOException;
    }

    /** The values of an object by their keys, each of the type that its reader returns. */
    private final class Values {
        private final Map<String, Object> values;

        private Values(Map<String, Object> values) {
            this.values = values;
        }

        @SuppressWarnings("unchecked")
        private <T> T get(String key, T otherwise) {
            return (T) values.getOrDefault(key, otherwise);
        }

        private <T> T require(String key) throws InvalidMessage {
            T value = get(key, null);
            if (value == null) {
                throw malformed("the key " + key + " is missing");
            }
            return value;
        }
    }
}
