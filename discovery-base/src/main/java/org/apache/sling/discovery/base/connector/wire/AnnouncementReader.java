// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage.Reason;

/** Reads one announcement with all that is nested in it. */
final class AnnouncementReader {
    private final JsonCursor json;
    private final WireLimits limits;
    private final boolean loop;
    private final boolean withProperties;
    private final long room;

    private int announcements;
    private int instances;
    private int properties;
    private long weight;

    /** Makes one that ignores in the outermost announcement what is without meaning in a loop announcement, if it is one. */
    AnnouncementReader(JsonCursor json, WireLimits limits, boolean loop) {
        this(json, limits, loop, true, Long.MAX_VALUE);
    }

    /**
     * Makes one that ends as soon as the result takes too much memory.
     *
     * @param withProperties whether the properties of instances are read
     * @param room the greatest {@link Weight} of the result
     */
    AnnouncementReader(JsonCursor json, WireLimits limits, boolean loop, boolean withProperties, long room) {
        this.json = json;
        this.limits = limits;
        this.loop = loop;
        this.withProperties = withProperties;
        this.room = room;
    }

    private void add(long bytes) throws InvalidMessage {
        weight += bytes;
        if (weight > room) {
            throw new InvalidMessage(Reason.FULL, "there is more than fits into " + room + " bytes");
        }
    }

    /** Reads the outermost announcement. Its version is checked, that of nested ones is not. */
    Announcement read() throws InvalidMessage {
        return read(1);
    }

    private Announcement read(int depth) throws InvalidMessage {
        if (depth > limits.depth()) {
            throw json.tooLarge("there are more than " + limits.depth() + " levels of announcements");
        }
        if (++announcements > limits.announcements()) {
            throw json.tooLarge("there are more than " + limits.announcements() + " announcements");
        }
        add(Weight.ANNOUNCEMENT);
        Parts parts = new Parts();
        json.object(name -> isRead(name) && read(name, parts, depth));
        if (depth == 1) {
            checkVersion(parts.version);
        }
        require("ownerId", parts.owner);
        if (!loop) {
            require("localClusterView", parts.cluster);
            require("topologyAnnouncements", parts.nested);
        }
        return made(() -> new Announcement(
                parts.owner,
                parts.created,
                parts.inherited,
                loop,
                Optional.ofNullable(parts.serverInfo),
                Optional.ofNullable(parts.cluster),
                Math.max(0, Math.min(parts.backoff, Announcement.LONGEST_BACKOFF_SECONDS)),
                parts.reset,
                parts.nested == null ? List.of() : parts.nested));
    }

    private boolean isRead(String name) {
        return !loop
                || switch (name) {
                    case Keys.INHERITED, Keys.SERVER_INFO, Keys.CLUSTER, Keys.NESTED -> false;
                    default -> true;
                };
    }

    private boolean read(String name, Parts parts, int depth) throws InvalidMessage {
        switch (name) {
            case Keys.OWNER -> parts.owner = json.text();
            case Keys.VERSION -> {
                parts.version = json.number();
                if (depth == 1) {
                    // What follows may have another meaning in another version.
                    checkVersion(parts.version);
                }
            }
            case Keys.CREATED -> parts.created = json.number();
            case Keys.INHERITED -> parts.inherited = json.flag();
            case Keys.LOOP -> {
                if (json.flag() != loop) {
                    throw json.malformed("loop is for the outermost announcement of a reply");
                }
            }
            case Keys.SERVER_INFO -> parts.serverInfo = json.isNull() ? null : name(json.text());
            case Keys.CLUSTER -> parts.cluster = readCluster();
            case Keys.BACKOFF -> parts.backoff = json.number();
            case Keys.RESET -> parts.reset = json.flag();
            case Keys.NESTED -> {
                List<Announcement> nested = new ArrayList<>();
                json.array(() -> nested.add(read(depth + 1)));
                parts.nested = nested;
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private String name(String text) throws InvalidMessage {
        if (text.length() > limits.nameCharacters()) {
            throw json.tooLarge("a name has more than " + limits.nameCharacters() + " characters");
        }
        return text;
    }

    private void checkVersion(Long version) throws InvalidMessage {
        if (version == null || version != Announcement.PROTOCOL_VERSION) {
            throw new InvalidMessage(
                    Reason.VERSION,
                    "the protocol version is " + (version == null ? "missing" : version) + ", and only "
                            + Announcement.PROTOCOL_VERSION + " is known");
        }
    }

    private AnnouncedCluster readCluster() throws InvalidMessage {
        String[] id = new String[1];
        List<AnnouncedInstance> members = new ArrayList<>();
        json.object(name -> {
            switch (name) {
                case Keys.ID -> id[0] = json.text();
                case Keys.INSTANCES -> json.array(() -> members.add(readInstance()));
                default -> {
                    return false;
                }
            }
            return true;
        });
        require(Keys.ID, id[0]);
        return made(() -> new AnnouncedCluster(id[0], members));
    }

    private AnnouncedInstance readInstance() throws InvalidMessage {
        if (++instances > limits.instances()) {
            throw json.tooLarge("there are more than " + limits.instances() + " instances");
        }
        add(Weight.INSTANCE);
        String[] id = new String[1];
        Boolean[] leader = new Boolean[1];
        Map<String, String> values = new HashMap<>();
        boolean[] seen = new boolean[1];
        json.object(name -> {
            switch (name) {
                case Keys.INSTANCE -> {
                    id[0] = json.text();
                    add(Weight.of(id[0]));
                }
                case Keys.LEADER -> leader[0] = json.flag();
                case Keys.PROPERTIES -> {
                    seen[0] = true;
                    readProperties(values);
                }
                default -> {
                    return false;
                }
            }
            return true;
        });
        require(Keys.INSTANCE, id[0]);
        require(Keys.LEADER, leader[0]);
        require(Keys.PROPERTIES, seen[0] ? values : null);
        return made(() -> new AnnouncedInstance(id[0], leader[0], values));
    }

    private void readProperties(Map<String, String> values) throws InvalidMessage {
        json.object(name -> {
            String value = json.text();
            if (!withProperties || !AnnouncedInstance.isLegalName(name)) {
                return false;
            }
            values.put(name, value);
            add(Weight.of(name, value));
            if (values.size() > limits.instanceProperties()) {
                throw json.tooLarge("an instance has more than " + limits.instanceProperties() + " properties");
            }
            if (++properties > limits.properties()) {
                throw json.tooLarge("there are more than " + limits.properties() + " properties");
            }
            return true;
        });
    }

    private void require(String key, Object value) throws InvalidMessage {
        if (value == null) {
            throw json.malformed("the key " + key + " is missing");
        }
    }

    private <T> T made(Maker<T> maker) throws InvalidMessage {
        try {
            return maker.make();
        } catch (IllegalArgumentException e) {
            throw json.malformed(e.getMessage());
        }
    }

    private interface Maker<T> {
        T make();
    }

    /** The values that were found so far. */
    private static final class Parts {
        private String owner;
        private Long version;
        private long created;
        private boolean inherited;
        private String serverInfo;
        private AnnouncedCluster cluster;
        private long backoff;
        private boolean reset;
        private List<Announcement> nested;
    }
}
