// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.sling.discovery.commons.model.FormatRange;

/** Where things are in the tree; the only place that knows. */
record Paths(String root, String clusterName) {
    private static final Pattern MEMBER = Pattern.compile("m-[0-9a-f]{16}-([1-9][0-9]{0,2})-([1-9][0-9]{0,2})-[-0-9]+");

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

    /**
     * Returns the path that the server completes to that of a new member node, with a name that is unique and tells the formats of
     * the member to those who cannot read its record.
     */
    String newMember(long random, FormatRange formats) {
        return members() + "/" + String.format("m-%016x-%d-%d-", random, formats.oldest(), formats.newest());
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

    static String historyName(long number) {
        return String.format("%019d", number);
    }

    static boolean isMemberName(String name) {
        return formats(name).isPresent();
    }

    /** Returns the formats that a member knows, by the name of its node; empty when that is not the name of a member node. */
    static Optional<FormatRange> formats(String name) {
        Matcher matcher = MEMBER.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        int oldest = Integer.parseInt(matcher.group(1));
        int newest = Integer.parseInt(matcher.group(2));
        return oldest <= newest ? Optional.of(new FormatRange(oldest, newest)) : Optional.empty();
    }

    static String nameOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    static String parentOf(String path) {
        int end = path.lastIndexOf('/');
        return end == 0 ? "/" : path.substring(0, end);
    }
}
