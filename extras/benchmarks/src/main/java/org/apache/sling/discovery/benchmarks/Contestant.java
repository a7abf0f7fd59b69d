// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.util.Locale;

/** The systems that are compared. */
enum Contestant {
    /** One ephemeral node and one persistent recursive watch for each member: the limit of any notification. */
    RAW("raw ZooKeeper", "#888888"),
    /** The three durable writes of the protocol with their notifications, without a library: the limit of the protocol. */
    CHAIN("bare chain", "#1f77b4"),
    /** Curator's {@code PersistentNode} and {@code CuratorCache}, of which its {@code GroupMember} consists. */
    CURATOR("Curator", "#2ca02c"),
    /** This project. */
    DISCOVERY("discovery", "#d62728"),
    /** JGroups with the TCP stack that it ships; it has no store. */
    JGROUPS("JGroups", "#9467bd");

    private final String title;
    private final String color;

    Contestant(String title, String color) {
        this.title = title;
        this.color = color;
    }

    String title() {
        return title;
    }

    /** Returns the color of its lines in pictures. */
    String color() {
        return color;
    }

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean usesServers() {
        return this != JGROUPS;
    }

    /**
     * Returns how many members join at once while a cluster is made. Members of JGroups that join at once may found groups of
     * their own, which merge only after many seconds.
     */
    int atOnce() {
        return this == JGROUPS ? 1 : 100;
    }

    /**
     * Returns with how many members it is compared at most. Each member of JGroups has threads for its connection to each other
     * one, so that 100 members in one process would take all threads that a machine allows.
     */
    int largest() {
        return this == JGROUPS ? 50 : Integer.MAX_VALUE;
    }

    /** Returns whether the threads of members belong to the thread group of the caller, so that they can be counted. */
    boolean threadsAreKnown() {
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
