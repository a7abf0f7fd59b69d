// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import java.util.regex.Pattern;

/** Where things are in the tree; the only place that knows. */
record Paths(String root, String clusterName) {
    private static final Pattern MEMBER = Pattern.compile("m-[0-9a-f]{16}-[-0-9]+");

    /** Above any number that a view can have; leaves room for counting on. */
    static final long HIGHEST_NUMBER = Long.MAX_VALUE / 2;

    static final String MEMBERS = "members";
    static final String ACKS = "acks";
    static final String VIEW = "view";
    static final String HISTORY = "history";
    static final String LEASE = "lease";
    static final String DEPARTED = "departed";

    String cluster() {
        return root + "/clusters/" + clusterName;
    }

    String members() {
        return cluster() + "/" + MEMBERS;
    }

    String acks() {
        return cluster() + "/" + ACKS;
    }

    String view() {
        return cluster() + "/" + VIEW;
    }

    String history() {
        return cluster() + "/" + HISTORY;
    }

    String lease() {
        return cluster() + "/" + LEASE;
    }

    String departed() {
        return cluster() + "/" + DEPARTED;
    }

    String member(String node) {
        return members() + "/" + node;
    }

    /** Returns the path that the server completes to that of a new member node, with a name nobody else asks for. */
    String newMember(long random) {
        return members() + "/" + String.format("m-%016x-", random);
    }

    String ack(String name) {
        return acks() + "/" + name;
    }

    String historyEntry(String name) {
        return history() + "/" + name;
    }

    String farewell(String name) {
        return departed() + "/" + name;
    }

    static String historyName(long number) {
        return String.format("%019d", number);
    }

    static boolean isMemberName(String name) {
        return MEMBER.matcher(name).matches();
    }

    static String nameOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    static String parentOf(String path) {
        int end = path.lastIndexOf('/');
        return end == 0 ? "/" : path.substring(0, end);
    }
}
