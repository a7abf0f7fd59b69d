// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.others;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;
import org.apache.sling.discovery.zk.client.NodeData;
import org.apache.sling.discovery.zk.client.StoreThread;
import org.apache.sling.discovery.zk.tree.AnnouncementName;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.NodeKind;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.sling.discovery.zk.tree.Unreadable;

/** The announcements that the members of one cluster share. Each is read in a packet of its own: the replies to a lease wait behind it. */
final class Announcements implements FollowedNodes.Target {
    private final Paths paths;
    private final boolean ownCluster;
    private final Codecs codecs;
    private final ByteBudget budget;
    private final Runnable changed;
    private final FollowedNodes nodes;
    private final TreeMap<String, Shared> shared = new TreeMap<>();

    /**
     * Creates one without announcements.
     *
     * @param ownCluster whether the paths are those of the local cluster
     * @param budget what this instance may keep of all clusters
     * @param changed called when all changes that were reported have been read
     */
    Announcements(
            Paths paths, boolean ownCluster, Codecs codecs, StoreThread thread, ByteBudget budget, Runnable changed) {
        this.paths = paths;
        this.ownCluster = ownCluster;
        this.codecs = codecs;
        this.budget = budget;
        this.changed = changed;
        this.nodes = new FollowedNodes(paths.announcements(), List.of(), 1, thread, this);
    }

    /**
     * An announcement, empty when its node cannot be read.
     *
     * @param created the transaction that created the node
     */
    record Shared(long created, Optional<SharedAnnouncement> announcement) {
        static final Comparator<Shared> BY_CREATION = Comparator.comparingLong(Shared::created);

        private static final Shared UNREAD = new Shared(0, Optional.empty());

        private int length() {
            return announcement.map(each -> each.content().length()).orElse(0);
        }
    }

    FollowedNodes nodes() {
        return nodes;
    }

    /** Returns those that can be read. */
    Stream<Shared> readable() {
        return shared.values().stream().filter(each -> each.announcement().isPresent());
    }

    /** Returns whether {@link #ofSession} has all changes of the nodes of a session that were reported. */
    boolean isSettled(long owner) {
        return nodes.isSettled(paths.announcement(AnnouncementName.prefix(owner)));
    }

    /** Returns the nodes of a session by name; the announcement of a node that cannot be read is empty. */
    Map<String, Optional<SharedAnnouncement>> ofSession(long owner) {
        Map<String, Optional<SharedAnnouncement>> own = new HashMap<>();
        String beginning = paths.announcement(AnnouncementName.prefix(owner));
        shared.subMap(beginning, beginning + Character.MAX_VALUE).forEach((path, each) -> {
            if (AnnouncementName.isOwned(Paths.nameOf(path), owner)) {
                own.put(Paths.nameOf(path), each.announcement());
            }
        });
        return own;
    }

    @Override
    public void put(String path, NodeData found) {
        String name = Paths.nameOf(path);
        Optional<SharedAnnouncement> announcement = Optional.empty();
        if (!AnnouncementName.isOwned(name, found.stat().getEphemeralOwner())) {
            nodes.report(path, NodeKind.foreignSentence(path));
        } else if (!AnnouncementName.isOwned(name, nodes.session().id())
                && !budget.hasRoom(shared.getOrDefault(path, Shared.UNREAD).length(), found.data().length)) {
            nodes.report(
                    path,
                    "The announcement in " + path + " of " + found.data().length + " bytes is left out: this instance"
                            + " keeps at most " + budget.max() + " bytes of all announcements. Give it more memory, or"
                            + " have the instances of other clusters offer smaller properties.");
            nodes.readLater(path);
        } else {
            try {
                announcement = Optional.of(codecs.announcements().read(name, found.data(), ownCluster));
            } catch (Unreadable e) {
                nodes.report(
                        path,
                        "The announcement in " + path + " cannot be read: " + e.getMessage()
                                + ". It is left out; find out which client wrote it.");
            }
        }
        replace(path, new Shared(found.stat().getCzxid(), announcement));
    }

    @Override
    public void deny(String path) {
        shared.putIfAbsent(path, Shared.UNREAD);
    }

    @Override
    public void remove(String path) {
        replace(path, null);
    }

    private void replace(String path, Shared next) {
        Shared before = next == null ? shared.remove(path) : shared.put(path, next);
        budget.replace(before == null ? 0 : before.length(), next == null ? 0 : next.length());
    }

    @Override
    public void settled() {
        changed.run();
    }
}
