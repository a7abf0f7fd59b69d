// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import java.util.Arrays;
import java.util.function.Predicate;

/** The kinds of nodes, recognized by their paths. The folders of a cluster come before the nodes in them. */
public enum NodeKind {
    ROOT("root", ""),
    CLUSTERS("clusters", ""),
    CLUSTER("cluster", ""),
    MEMBERS("members", Paths.MEMBERS),
    MEMBER("member", Names::isMember),
    ACKNOWLEDGEMENTS("acknowledgements", Paths.ACKS),
    ACKNOWLEDGEMENT("acknowledgement", name -> Names.parseAcknowledgement(name).isPresent()),
    VIEW("view", Paths.VIEW),
    HISTORY("history", Paths.HISTORY),
    ENTRY("history entry", Names::isEntry),
    LEASE("lease", Paths.LEASE),
    DEPARTURES("leave records", Paths.DEPARTURES),
    DEPARTURE("leave record", name -> Names.parseNote(name).isPresent()),
    ANNOUNCEMENTS("announcements", Paths.ANNOUNCEMENTS),
    ANNOUNCEMENT("announcement", Names::isAnnouncement),
    FOREIGN("foreign", name -> false);

    private static final int PARTS = 3;
    private static final int LEAVES = 4;

    private final String words;
    private final String part;
    private final Predicate<String> leaves;

    NodeKind(String words, String part) {
        this.words = words;
        this.part = part;
        this.leaves = name -> false;
    }

    NodeKind(String words, Predicate<String> leaves) {
        this.words = words;
        this.part = "";
        this.leaves = leaves;
    }

    /** Returns the kind in words, for display. */
    public String words() {
        return words;
    }

    /** Returns whether nodes of this kind have children. */
    public boolean hasChildren() {
        return switch (this) {
            case ROOT, CLUSTERS, CLUSTER, MEMBERS, ACKNOWLEDGEMENTS, HISTORY, DEPARTURES, ANNOUNCEMENTS -> true;
            default -> false;
        };
    }

    /** Returns whether a node of this kind, with this name and owned by this session, is none of discovery's: those are ephemeral. */
    public boolean isForeign(String name, long session) {
        return switch (this) {
            case MEMBER -> session == 0;
            case ANNOUNCEMENT -> !Names.isAnnouncementOf(name, session);
            default -> false;
        };
    }

    /** Returns the sentence about a node that is foreign. */
    public static String foreignSentence(String path) {
        return "The node " + path + " does not belong there and is left alone. Delete it if it is not needed.";
    }

    /**
     * Returns the kind of a node.
     *
     * @param root the path of the root
     * @param path the path of the node, which is at or below the root
     */
    public static NodeKind of(String root, String path) {
        if (path.equals(root)) {
            return ROOT;
        }
        String[] names = path.substring(root.length() + 1).split("/");
        if (!names[0].equals("clusters")) {
            return FOREIGN;
        }
        return switch (names.length) {
            case 1 -> CLUSTERS;
            case 2 -> CLUSTER;
            case PARTS -> part(names[2]);
            case LEAVES -> leaf(part(names[2]), names[PARTS]);
            default -> FOREIGN;
        };
    }

    private static NodeKind part(String name) {
        return Arrays.stream(values())
                .filter(kind -> kind.part.equals(name))
                .findFirst()
                .orElse(FOREIGN);
    }

    private static NodeKind leaf(NodeKind part, String name) {
        NodeKind leaf = part == FOREIGN ? FOREIGN : values()[part.ordinal() + 1];
        return leaf.leaves.test(name) ? leaf : FOREIGN;
    }
}
