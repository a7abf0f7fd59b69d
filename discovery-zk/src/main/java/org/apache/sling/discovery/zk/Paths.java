// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import org.apache.sling.discovery.commons.model.FormatRange;

/** Where things are in the tree; the only place that knows. */
record Paths(String root, String clusterName) {
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

    /** Returns the path that the server completes to that of a new member node, whose name is unique. */
    String newMember(long random, FormatRange formats) {
        return members() + "/" + MemberName.prefix(random, formats);
    }

    String ack(String name) {
        return acks() + "/" + name;
    }

    String historyEntry(String name) {
        return history() + "/" + name;
    }

    String note(String name) {
        return departed() + "/" + name;
    }

    static String nameOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    static String parentOf(String path) {
        int end = path.lastIndexOf('/');
        return end == 0 ? "/" : path.substring(0, end);
    }
}
