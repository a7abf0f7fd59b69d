// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.member;

import io.github.discoveryzk.spi.ClusterStore;
import io.github.discoveryzk.zk.ZooKeeperStore;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import java.util.Locale;
import java.util.OptionalLong;

/** The systems that are compared. */
public enum Contestant {
    /** One ephemeral node and one persistent recursive watch for each member: the limit of any notification. */
    RAW,
    /** The three durable writes of the protocol with their notifications, without a library: the limit of the protocol. */
    CHAIN,
    /** Curator's {@code PersistentNode} and {@code CuratorCache}, of which its {@code GroupMember} consists. */
    CURATOR,
    /** This project. */
    DISCOVERY,
    /** The same, while a member writes a shared value a hundred times a second, which all members have opened. */
    DISCOVERY_WRITING,
    /** Another build of this project, such as that of an earlier commit, measured by the same code. */
    OTHER,
    /** JGroups with the TCP stack that it ships; it has no store. */
    JGROUPS,
    /** The same, but it suspects a member whose socket was closed for no longer than this project does. */
    JGROUPS_TUNED;

    private static final long VERDICT_MILLIS = 300;
    private static final String LIGHT = "-light-";

    /** Returns the name as options and results have it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the id of a member: the contestant, the kind of the member and its number. */
    public String memberId(int number, boolean light) {
        return this + (light ? LIGHT : "-") + number;
    }

    /** Says whether a member with that id is a light one. */
    public static boolean isLight(String memberId) {
        return memberId.contains(LIGHT);
    }

    /** Returns the number in the id of a member. */
    public static int number(String memberId) {
        return Integer.parseInt(memberId.substring(memberId.lastIndexOf('-') + 1));
    }

    public boolean usesServers() {
        return !isJGroups();
    }

    private boolean isJGroups() {
        return this == JGROUPS || this == JGROUPS_TUNED;
    }

    /**
     * Returns how many members join at the same time while a cluster is made. Members of JGroups that join at the same time may found groups of
     * their own, which merge only after many seconds.
     */
    public int atOnce() {
        return isJGroups() ? 1 : 100;
    }

    /**
     * Returns with how many members it is compared at most. Each member of JGroups has threads for its connection to each other
     * one, so that 100 members in one process would take all threads that a machine allows.
     */
    public int largest() {
        return isJGroups() ? 50 : isWriting() ? 100 : Integer.MAX_VALUE;
    }

    /** Returns whether a member writes shared data all the time. */
    public boolean isWriting() {
        return this == DISCOVERY_WRITING;
    }

    /** Returns whether its members can be asked to write shared data. */
    public boolean hasSharedData() {
        return this == CURATOR || this == DISCOVERY || this == OTHER;
    }

    /** Returns whether its members have properties, and an order that they can be asked for. */
    public boolean hasPropertiesAndOrder() {
        return !isJGroups();
    }

    /** Returns a member that is not connected yet; one of this project may be a light one. */
    public BenchmarkMember member(String id, String connectString, Recorder recorder) {
        return switch (this) {
            case RAW -> new RawMember(id, connectString, recorder);
            case CHAIN -> new ChainMember(id, connectString, recorder);
            case CURATOR -> new CuratorMember(id, connectString, recorder);
            case JGROUPS -> new JGroupsMember(id, connectString, recorder, OptionalLong.empty());
            case JGROUPS_TUNED -> new JGroupsMember(id, connectString, recorder, OptionalLong.of(VERDICT_MILLIS));
            case DISCOVERY, DISCOVERY_WRITING, OTHER -> isLight(id)
                    ? new LightMember(id, store(connectString), recorder)
                    : new DiscoveryMember(id, store(connectString), recorder, isWriting());
        };
    }

    private static ClusterStore store(String connectString) {
        return new ZooKeeperStore(
                ZooKeeperStoreConfig.of(connectString).withSessionTimeout(ClientMember.SESSION_MILLIS));
    }
}
