// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import java.util.Arrays;
import java.util.List;

/** The kinds of nodes, recognized by their paths. */
public enum NodeKind {
    ROOT("root", true),
    CLUSTERS("clusters", false),
    CLUSTER("cluster", true),
    MEMBERS("members", false),
    MEMBER("member", true),
    ACKNOWLEDGEMENTS("acknowledgements", false),
    ACKNOWLEDGEMENT("acknowledgement", false),
    VIEW("view", true),
    HISTORY("history", false),
    ENTRY("history entry", true),
    LEASE("lease", true),
    DEPARTURES("departure notes", false),
    DEPARTURE("departure note", false),
    ANNOUNCEMENTS("announcements", false),
    ANNOUNCEMENT("announcement", true),
    FOREIGN("foreign", false);

    private static final int PARTS = 3;
    private static final int LEAVES = 4;

    private final String words;
    private final boolean record;

    NodeKind(String words, boolean record) {
        this.words = words;
        this.record = record;
    }

    /** Returns the kind in words, for display. */
    public String words() {
        return words;
    }

    /** Returns whether nodes of this kind have a record; others are empty. */
    public boolean holdsRecord() {
        return record;
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
            case ANNOUNCEMENT -> !AnnouncementName.isOwned(name, session);
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
        List<String> names = Arrays.asList(path.substring(root.length() + 1).split("/"));
        if (!names.get(0).equals("clusters")) {
            return FOREIGN;
        }
        return switch (names.size()) {
            case 1 -> CLUSTERS;
            case 2 -> CLUSTER;
            case PARTS -> part(names.get(2));
            case LEAVES -> leaf(part(names.get(2)), names.get(PARTS));
            default -> FOREIGN;
        };
    }

    private static NodeKind part(String name) {
        return switch (name) {
            case Paths.MEMBERS -> MEMBERS;
            case Paths.ACKS -> ACKNOWLEDGEMENTS;
            case Paths.VIEW -> VIEW;
            case Paths.HISTORY -> HISTORY;
            case Paths.LEASE -> LEASE;
            case Paths.DEPARTURES -> DEPARTURES;
            case Paths.ANNOUNCEMENTS -> ANNOUNCEMENTS;
            default -> FOREIGN;
        };
    }

    private static NodeKind leaf(NodeKind part, String name) {
        boolean own =
                switch (part) {
                    case MEMBERS -> MemberName.isValid(name);
                    case ACKNOWLEDGEMENTS -> AcknowledgementName.parse(name).isPresent();
                    case HISTORY -> HistoryEntryName.isValid(name);
                    case DEPARTURES -> DepartureNoteName.parse(name).isPresent();
                    case ANNOUNCEMENTS -> AnnouncementName.session(name).isPresent();
                    default -> false;
                };
        return own ? values()[part.ordinal() + 1] : FOREIGN;
    }
}
