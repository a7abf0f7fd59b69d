// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.others;

import io.github.discoveryzk.model.SharedAnnouncement;
import io.github.discoveryzk.zk.client.NodeData;
import io.github.discoveryzk.zk.client.StoreThread;
import io.github.discoveryzk.zk.follow.FollowedNodes;
import io.github.discoveryzk.zk.tree.AnnouncementRecords;
import io.github.discoveryzk.zk.tree.Names;
import io.github.discoveryzk.zk.tree.NodeKind;
import io.github.discoveryzk.zk.tree.Paths;
import io.github.discoveryzk.zk.tree.Unreadable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The announcements that the members of one cluster share. Each is read in a packet of its own: the replies to a lease wait behind it. */
final class Announcements extends FollowedNodes {
    private final Paths paths;
    private final boolean ownCluster;
    private final Budget budget;
    private final TreeMap<String, Shared> shared = new TreeMap<>();

    /**
     * Creates one without announcements.
     *
     * @param ownCluster whether the paths are those of the local cluster
     * @param budget what this instance may keep of all clusters
     * @param changed called when all changes that were reported have been read
     */
    Announcements(Paths paths, boolean ownCluster, StoreThread thread, Budget budget, Runnable changed) {
        super(paths.announcements(), List.of(), 1, thread, changed);
        this.paths = paths;
        this.ownCluster = ownCluster;
        this.budget = budget;
    }

    /**
     * An announcement, empty when its node cannot be read.
     *
     * @param created the transaction that created the node
     */
    record Shared(long created, Optional<SharedAnnouncement> announcement) {
        private static final Shared UNREAD = new Shared(0, Optional.empty());

        private int length() {
            return announcement.map(each -> each.content().length()).orElse(0);
        }
    }

    /** How many bytes of announcements an instance keeps as they are in the store. Confined to the store's thread. */
    static final class Budget {
        private static final int PART_OF_HEAP = 32;

        private final long max;
        private long used;

        Budget(long max) {
            this.max = max;
        }

        /** Creates the budget of an instance: a 32nd of the heap. Decoded announcements may take as much again. */
        static Budget ofHeap() {
            return new Budget(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
        }
    }

    /** Returns those that can be read. */
    Stream<Shared> readable() {
        return shared.values().stream().filter(each -> each.announcement().isPresent());
    }

    /** Returns whether {@link #ofSession} has all changes of the nodes of a session that were reported. */
    boolean isSettled(long owner) {
        return isSettled(paths.announcement(Names.announcementPrefix(owner)));
    }

    /** Returns the nodes of a session by name; the announcement of a node that cannot be read is empty. */
    Map<String, Optional<SharedAnnouncement>> ofSession(long owner) {
        Map<String, Optional<SharedAnnouncement>> own = new HashMap<>();
        String beginning = paths.announcement(Names.announcementPrefix(owner));
        shared.subMap(beginning, beginning + Character.MAX_VALUE).forEach((path, each) -> {
            if (Names.isAnnouncementOf(Paths.nameOf(path), owner)) {
                own.put(Paths.nameOf(path), each.announcement());
            }
        });
        return own;
    }

    @Override
    protected boolean skips(String path) {
        boolean foreign = !Names.isAnnouncement(Paths.nameOf(path));
        if (foreign) {
            problems.report(path, NodeKind.foreignSentence(path));
        }
        return foreign;
    }

    @Override
    protected boolean put(String path, NodeData found) {
        String name = Paths.nameOf(path);
        Optional<SharedAnnouncement> announcement = Optional.empty();
        boolean excluded = false;
        if (!Names.isAnnouncementOf(name, found.stat().getEphemeralOwner())) {
            problems.report(path, NodeKind.foreignSentence(path));
        } else if (!Names.isAnnouncementOf(name, session().id())
                && !hasRoom(shared.getOrDefault(path, Shared.UNREAD).length(), found.data().length)) {
            excluded = true;
            problems.report(
                    path,
                    "The announcement in " + path + " of " + found.data().length
                            + " bytes is ignored: this instance"
                            + " keeps at most " + budget.max
                            + " bytes of all announcements. Give it more memory, or"
                            + " have the instances of other clusters offer smaller properties.");
        } else {
            try {
                announcement = Optional.of(AnnouncementRecords.read(name, found.data(), ownCluster));
            } catch (Unreadable e) {
                problems.report(
                        path,
                        "The announcement in " + path + " cannot be read: " + e.getMessage()
                                + ". It is ignored; find out which client wrote it.");
            }
        }
        replace(path, new Shared(found.stat().getCzxid(), announcement));
        return !excluded;
    }

    private boolean hasRoom(int before, int after) {
        return budget.used - before + after <= budget.max;
    }

    @Override
    protected void deny(String path) {
        shared.putIfAbsent(path, Shared.UNREAD);
    }

    @Override
    protected void remove(String path) {
        replace(path, null);
    }

    /** What is kept counts, whether there was room or not. */
    private void replace(String path, Shared next) {
        Shared before = next == null ? shared.remove(path) : shared.put(path, next);
        budget.used += (next == null ? 0 : next.length()) - (before == null ? 0 : before.length());
    }
}
