// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.util.Locale;

/** The systems that are compared. */
enum Contestant {
    /** One ephemeral node and one persistent recursive watch for each member: the limit of any notification. */
    RAW("raw ZooKeeper"),
    /** The three durable writes of the protocol with their notifications, without a library: the limit of the protocol. */
    CHAIN("bare chain"),
    /** Curator's {@code PersistentNode} and {@code CuratorCache}, of which its {@code GroupMember} consists. */
    CURATOR("Curator"),
    /** This project. */
    DISCOVERY("discovery"),
    /** JGroups with the TCP stack that it ships; it has no store. */
    JGROUPS("JGroups");

    private final String title;

    Contestant(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean usesServers() {
        return this != JGROUPS;
    }

    /** Returns whether a scenario can be played. Members of JGroups have no properties, and find each other through the eldest. */
    boolean plays(Scenario scenario) {
        return this != JGROUPS || scenario != Scenario.PROPERTY && scenario != Scenario.LEADER_LEAVE;
    }

    /** Returns a member that is not connected yet. */
    Member member(String id, String connectString, Recorder recorder, Usage.Decisions decisions) {
        return switch (this) {
            case RAW -> new RawMember(id, connectString, recorder);
            case CHAIN -> new ChainMember(id, connectString, recorder);
            case CURATOR -> new CuratorMember(id, connectString, recorder);
            case DISCOVERY -> new DiscoveryMember(id, connectString, recorder, decisions);
            case JGROUPS -> new JGroupsMember(id, connectString, recorder);
        };
    }
}
