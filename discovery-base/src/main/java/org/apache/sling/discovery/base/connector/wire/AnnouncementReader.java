// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
        Parts parts = new Parts();
        object(name -> read(name, parts, depth));
        if (depth == 1) {
            checkVersion(parts.version);
        }
        if (parts.loop && !mayLoop) {
            throw malformed("loop is for the outermost announcement of a reply");
        }
        require(Keys.OWNER, parts.owner);
        Sending sending = new Sending(
                parts.created,
                Math.max(0, Math.min(parts.backoff, Announcement.MAX_BACKOFF_SECONDS)),
                parts.reset && !parts.loop);
        if (parts.loop) {
            return checked(() -> Announcement.loop(parts.owner, sending.created(), sending.backoffSeconds()));
        }
        require(Keys.CLUSTER, parts.cluster);
        require(Keys.NESTED, parts.nested);
        return checked(() -> new Announcement(
                parts.owner,
                Optional.of(parts.cluster),
                Optional.ofNullable(parts.serverInfo),
                parts.inherited,
                parts.nested,
                sending));
    }

    private boolean read(String name, Parts parts, int depth) throws IOException {
        switch (name) {
            case Keys.OWNER -> parts.owner = text();
            case Keys.VERSION -> {
                parts.version = number();
                if (depth == 1) {
                    // What follows may have another meaning in another version.
                    checkVersion(parts.version);
                }
            }
            case Keys.CREATED -> parts.created = number();
            case Keys.INHERITED -> parts.inherited = flag();
            case Keys.LOOP -> parts.loop = flag();
            case Keys.SERVER_INFO -> parts.serverInfo = serverInfo();
            case Keys.CLUSTER -> parts.cluster = readCluster();
            case Keys.BACKOFF -> parts.backoff = number();
            case Keys.RESET -> parts.reset = flag();
            case Keys.NESTED -> parts.nested = array(() -> read(depth + 1, false));
            default -> {
                return false;
            }
        }
        return true;
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

    private static void checkVersion(Long version) throws InvalidMessage {
        if (version == null || version != Announcement.PROTOCOL_VERSION) {
            throw new InvalidMessage(
                    Reason.VERSION,
                    "the protocol version is " + (version == null ? "missing" : version) + ", and only "
                            + Announcement.PROTOCOL_VERSION + " is known");
        }
    }

    private AnnouncedCluster readCluster() throws IOException {
        String[] id = new String[1];
        List<AnnouncedInstance> instances = new ArrayList<>();
        object(name -> {
            switch (name) {
                case Keys.ID -> id[0] = text();
                case Keys.INSTANCES -> instances.addAll(array(this::readInstance));
                default -> {
                    return false;
                }
            }
            return true;
        });
        require(Keys.ID, id[0]);
        return checked(() -> new AnnouncedCluster(id[0], instances));
    }

    private AnnouncedInstance readInstance() throws IOException {
        add(Weight.INSTANCE);
        Map<String, Object> values = new HashMap<>();
        Map<String, String> properties = new HashMap<>();
        object(name -> {
            switch (name) {
                case Keys.INSTANCE -> {
                    values.put(name, text());
                    add(Weight.of(json.getText()));
                }
                case Keys.LEADER -> values.put(name, flag());
                case Keys.PROPERTIES -> {
                    values.put(name, properties);
                    object(property -> readProperty(property, properties));
                }
                default -> {
                    return false;
                }
            }
            return true;
        });
        for (String key : List.of(Keys.INSTANCE, Keys.LEADER, Keys.PROPERTIES)) {
            require(key, values.get(key));
        }
        return checked(() -> new AnnouncedInstance(
                (String) values.get(Keys.INSTANCE), (boolean) values.get(Keys.LEADER), properties));
    }

    private boolean readProperty(String name, Map<String, String> properties) throws IOException {
        String value = text();
        if (!withProperties || !AnnouncedInstance.isLegalName(name)) {
            return false;
        }
        properties.put(name, value);
        add(Weight.of(name, value));
        return true;
    }

    private void add(long bytes) throws InvalidMessage {
        weight += bytes;
        if (weight > limits.memoryBytes()) {
            throw new InvalidMessage(
                    overflow, "as objects it takes more than " + limits.memoryBytes() + " bytes of memory");
        }
    }

    /** Reads an object. Keys that the field does not know are skipped; a key that it knows must not come twice. */
    private void object(Field field) throws IOException {
        expect(JsonToken.START_OBJECT, "an object");
        Set<String> known = new HashSet<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            if (!field.read(name)) {
                json.skipChildren();
            } else if (!known.add(name)) {
                throw malformed("the key " + Excerpt.quoted(name) + " comes twice");
            }
        }
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

    private long number() throws IOException {
        expect(JsonToken.VALUE_NUMBER_INT, "a whole number");
        return json.getLongValue();
    }

    private boolean flag() throws IOException {
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

    private void require(String key, Object value) throws InvalidMessage {
        if (value == null) {
            throw malformed("the key " + key + " is missing");
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

    /** Reads the value of a key, or returns false if it does not know the key. */
    private interface Field {
        boolean read(String name) throws IOException;
    }

    private interface Element<T> {
        T read() throws IOException;
    }

    /** The values that were found so far. */
    private static final class Parts {
        private String owner;
        private Long version;
        private long created;
        private boolean inherited;
        private boolean loop;
        private String serverInfo;
        private AnnouncedCluster cluster;
        private long backoff;
        private boolean reset;
        private List<Announcement> nested;
    }
}
