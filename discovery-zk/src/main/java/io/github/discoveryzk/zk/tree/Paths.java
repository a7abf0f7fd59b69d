// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.tree;

import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.model.FormatRange;

/**
 * The paths of the nodes. The names that its methods take are not checked.
 *
 * @param root absolute, without a slash at its end
 * @param clusterName a single name
 */
public record Paths(String root, String clusterName) {
    public static final String MEMBERS = "members";
    public static final String ACKS = "acks";
    public static final String VIEW = "view";
    public static final String HISTORY = "history";
    public static final String LEASE = "lease";
    public static final String DEPARTURES = "departures";
    public static final String SUSPECTS = "suspects";
    public static final String ANNOUNCEMENTS = "announcements";
    public static final String DATA = "data";

    public String clusters() {
        return root + "/clusters";
    }

    public String cluster() {
        return clusters() + "/" + clusterName;
    }

    public String members() {
        return cluster() + "/" + MEMBERS;
    }

    public String acks() {
        return cluster() + "/" + ACKS;
    }

    public String view() {
        return cluster() + "/" + VIEW;
    }

    public String history() {
        return cluster() + "/" + HISTORY;
    }

    public String lease() {
        return cluster() + "/" + LEASE;
    }

    public String departures() {
        return cluster() + "/" + DEPARTURES;
    }

    public String suspects() {
        return cluster() + "/" + SUSPECTS;
    }

    public String announcements() {
        return cluster() + "/" + ANNOUNCEMENTS;
    }

    public String data() {
        return cluster() + "/" + DATA;
    }

    /** Returns the path of a shared value, or of the folder of a shared map. */
    public String data(DataAddress address) {
        return data() + "/" + Names.escaped(address.scope()) + "/"
                + (address.map() ? Names.MAP_PREFIX : Names.VALUE_PREFIX) + Names.escaped(address.name());
    }

    /** Returns the path of an entry; of the value itself if it is not a map. */
    public String data(DataAddress address, String key) {
        return address.map() ? data(address) + "/" + Names.escaped(key) : data(address);
    }

    public String member(String node) {
        return members() + "/" + node;
    }

    /** Returns the path that the server completes to that of a new member node, whose name is unique. */
    public String newMember(long random, FormatRange formats) {
        return members() + "/" + Names.memberPrefix(random, formats);
    }

    public String ack(String name) {
        return acks() + "/" + name;
    }

    public String historyEntry(String name) {
        return history() + "/" + name;
    }

    public String leaveRecord(String name) {
        return departures() + "/" + name;
    }

    public String suspicion(String name) {
        return suspects() + "/" + name;
    }

    public String announcement(String name) {
        return announcements() + "/" + name;
    }

    public static String nameOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    public static String parentOf(String path) {
        int end = path.lastIndexOf('/');
        return end == 0 ? "/" : path.substring(0, end);
    }
}
