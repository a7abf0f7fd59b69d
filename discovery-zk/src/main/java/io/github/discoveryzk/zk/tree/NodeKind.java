// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The kinds of nodes, recognized by their paths. */
public enum NodeKind {
    ROOT("root", ""),
    CLUSTERS("clusters", "/clusters"),
    CLUSTER("cluster", "*"),
    MEMBERS("members", "*/" + Paths.MEMBERS),
    MEMBER("member", "*/" + Paths.MEMBERS + "/", Names::isMember),
    ACKNOWLEDGEMENTS("acknowledgements", "*/" + Paths.ACKS),
    ACKNOWLEDGEMENT("acknowledgement", "*/" + Paths.ACKS + "/", name -> Names.parseAcknowledgement(name)
            .isPresent()),
    VIEW("view", "*/" + Paths.VIEW),
    HISTORY("history", "*/" + Paths.HISTORY),
    ENTRY("history entry", "*/" + Paths.HISTORY + "/", Names::isEntry),
    LEASE("lease", "*/" + Paths.LEASE),
    DEPARTURES("leave records", "*/" + Paths.DEPARTURES),
    DEPARTURE("leave record", "*/" + Paths.DEPARTURES + "/", name -> Names.parseLeaveRecord(name)
            .isPresent()),
    SUSPICIONS("suspicions", "*/" + Paths.SUSPECTS),
    SUSPICION("suspicion", "*/" + Paths.SUSPECTS + "/", name -> Names.parseSuspicion(name)
            .isPresent()),
    ANNOUNCEMENTS("announcements", "*/" + Paths.ANNOUNCEMENTS),
    ANNOUNCEMENT("announcement", "*/" + Paths.ANNOUNCEMENTS + "/", Names::isAnnouncement),
    DATA("shared data", "*/" + Paths.DATA),
    DATA_SCOPE("scope of shared data", "*/" + Paths.DATA + "/", path -> Names.isData(path, "")),
    DATA_VALUE("shared value", "*/" + Paths.DATA + "/", path -> Names.isData(path, "", Names.VALUE_PREFIX)),
    DATA_MAP("shared map", "*/" + Paths.DATA + "/", path -> Names.isData(path, "", Names.MAP_PREFIX)),
    DATA_ENTRY("entry of a shared map", "*/" + Paths.DATA + "/", path -> Names.isData(path, "", Names.MAP_PREFIX, "")),
    FOREIGN("foreign", "", name -> false);

    /** How many sentences about nodes are shown. */
    public static final int SHOWN_SENTENCES = 20;

    private static final int SHOWN_CHARACTERS = 400;
    private static final Pattern CLUSTER_PATH = Pattern.compile("^/clusters/[^/]+");

    private final String words;
    private final String path;
    private final Predicate<String> names;

    NodeKind(String words, String path) {
        this(words, path, String::isEmpty);
    }

    /**
     * Creates a kind.
     *
     * @param path the path below the root, without the name if there are several; an asterisk stands for the path of a cluster
     * @param names the names that nodes of this kind have; an empty one if there is only one node
     */
    NodeKind(String words, String path, Predicate<String> names) {
        this.words = words;
        this.path = path;
        this.names = names;
    }

    /** Returns the kind in words, for display. */
    public String words() {
        return words;
    }

    /** Returns whether a node of this kind, with this name and owned by this session, is none of discovery's: those are ephemeral. */
    public boolean isForeign(String name, long session) {
        return switch (this) {
            case MEMBER -> session == 0;
            case ANNOUNCEMENT -> !Names.isAnnouncementOf(name, session);
            default -> false;
        };
    }

    /** Returns the first ones of so many sentences about nodes, and how many more there are. Its cost does not depend on their number. */
    public static List<String> shortened(Stream<String> all, int count) {
        List<String> shown = new ArrayList<>(all.limit(SHOWN_SENTENCES).toList());
        if (count > SHOWN_SENTENCES) {
            shown.add("The same or the like holds for " + (count - SHOWN_SENTENCES) + " more nodes.");
        }
        return shown;
    }

    /** Returns the sentence about a node that is foreign. */
    public static String foreignSentence(String path) {
        return "The node " + Names.shown(path, SHOWN_CHARACTERS)
                + " does not belong there and is left alone. Delete it if it is not needed.";
    }

    /**
     * Returns the kind of a node.
     *
     * @param root the path of the root
     * @param path the path of the node, which is at or below the root
     */
    public static NodeKind of(String root, String path) {
        String below = CLUSTER_PATH.matcher(path.substring(root.length())).replaceFirst("*");
        return Arrays.stream(values())
                .filter(kind -> below.startsWith(kind.path) && kind.names.test(below.substring(kind.path.length())))
                .findFirst()
                .orElse(FOREIGN);
    }
}
