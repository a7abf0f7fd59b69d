// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.NodeData;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.client.StoreThread;
import org.apache.sling.discovery.zk.tree.AnnouncementName;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.NodeKind;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.sling.discovery.zk.tree.Unreadable;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches the announcements that the members of one cluster share. They are read one after the other; what changes while it is being read
 * is read again afterwards. What access is denied to stays as it was read last, until it is deleted. Replies arrive after the events that
 * came before them, so each is applied at once. A step that fails, for whatever reason, is reported and repeated, and delays no other
 * announcement. Confined to the store's thread.
 */
public final class AnnouncementCache {
    private static final Logger LOG = LoggerFactory.getLogger(AnnouncementCache.class);

    /** A change of access rights causes no event, and neither does an end of a lack of memory. */
    private static final long DENIED_AGAIN_MILLIS = 60_000;

    private static final long FAILED_AGAIN_MILLIS = 5_000;
    private static final String NOTHING = "";

    private final Paths paths;
    private final boolean ownCluster;
    private final Codecs codecs;
    private final StoreThread thread;
    private final ByteBudget budget;
    private final Runnable changed;
    private final LastingWatch watch;
    private final TreeMap<String, Node> nodes = new TreeMap<>();
    private final Map<String, String> problems = new TreeMap<>();
    private final Map<String, String> failures = new HashMap<>();
    private final Set<String> stale = new LinkedHashSet<>();
    private final Set<String> again = new HashSet<>();

    private Session session;
    private Watcher watcher;
    private String beingRead = NOTHING;
    private int starts;
    private boolean listed;
    private boolean known;
    private int startAgainOf;

    /**
     * Creates an empty cache.
     *
     * @param ownCluster whether the paths are those of the own cluster
     * @param budget what all caches of this instance may keep
     * @param changed called when something has been read or has gone
     */
    public AnnouncementCache(
            Paths paths, boolean ownCluster, Codecs codecs, StoreThread thread, ByteBudget budget, Runnable changed) {
        this.paths = paths;
        this.ownCluster = ownCluster;
        this.codecs = codecs;
        this.thread = thread;
        this.budget = budget;
        this.changed = changed;
        this.watch = new LastingWatch(paths.announcements(), AddWatchMode.PERSISTENT_RECURSIVE);
    }

    /** An announcement and the transaction that created its node. */
    record Shared(long created, SharedAnnouncement announcement) {
        static final Comparator<Shared> BY_CREATION = Comparator.comparingLong(Shared::created);
        static final Comparator<List<String>> BY_HOLDER_AND_OWNER =
                Comparator.<List<String>, String>comparing(key -> key.get(0)).thenComparing(key -> key.get(1));
    }

    /** What is known of a node; its announcement is empty when it cannot be read. */
    private record Node(long created, long changed, Optional<SharedAnnouncement> announcement) {
        private static final long NEVER = -1;
        static final Node UNREAD = new Node(0, NEVER, Optional.empty());

        /** Its data is looked at again when it can be read again: the problem that is reported has to end. */
        Node denied() {
            return new Node(created, NEVER, announcement);
        }

        int length() {
            return announcement.map(each -> each.content().length()).orElse(0);
        }
    }

    /** Returns whether all announcements have been read since the last {@link #start}, or cannot be read. */
    boolean isKnown() {
        return known;
    }

    Stream<Shared> announcements() {
        return nodes.values().stream().flatMap(node -> node.announcement().stream()
                .map(announcement -> new Shared(node.created(), announcement)));
    }

    /** Returns whether {@link #ofSession} has all changes of the nodes of a session that were reported. */
    public boolean isSettled(long owner) {
        String prefix = AnnouncementName.prefix(owner);
        return known && !beingRead.startsWith(prefix) && stale.stream().noneMatch(name -> name.startsWith(prefix));
    }

    /** Returns the nodes of a session by name; the announcement of a node that cannot be read is empty. */
    public Map<String, Optional<SharedAnnouncement>> ofSession(long owner) {
        String prefix = AnnouncementName.prefix(owner);
        Map<String, Optional<SharedAnnouncement>> own = new HashMap<>();
        for (Map.Entry<String, Node> node : nodes.tailMap(prefix).entrySet()) {
            if (!node.getKey().startsWith(prefix)) {
                break;
            }
            if (AnnouncementName.isOwned(node.getKey(), owner)) {
                own.put(node.getKey(), node.getValue().announcement());
            }
        }
        return own;
    }

    /** Returns sentences about nodes that do not belong there or cannot be read. */
    public List<String> problems() {
        return List.copyOf(problems.values());
    }

    /** Reads all announcements again: after a connect, or when anything looks odd. */
    public void start(Session started) {
        stop();
        if (session != started) {
            session = started;
            watcher = WatchEvents.watcher(
                    thread,
                    started,
                    event -> attempt(paths.announcements(), () -> process(started, event), () -> start(session)));
        }
        watch.set(session, watcher);
        int begun = starts;
        session.list(paths.announcements()).whenComplete((names, thrown) -> {
            if (begun == starts) {
                attempt(paths.announcements(), () -> endListing(names, thrown), () -> start(session));
            }
        });
    }

    /** Discards what is in progress: the connection is lost. What was read is kept until it has been read again. */
    void stop() {
        starts++;
        listed = false;
        known = false;
        stale.clear();
        again.clear();
        beingRead = NOTHING;
    }

    /** Ends the watch: the cluster has been deleted. */
    void close() {
        stop();
        List.copyOf(nodes.keySet()).forEach(this::remove);
        watch.end();
    }

    private void endListing(List<String> names, Throwable thrown) {
        if (thrown != null) {
            Failure failure = Failure.of(thrown);
            if (failure.isUnknown()) {
                return;
            }
            if (!failure.is(Code.NONODE)) {
                report(paths.announcements(), denied(paths.announcements(), failure));
                startAfterDenial();
                // Each tells by itself whether it has been deleted.
                stale.addAll(nodes.keySet());
            }
        } else {
            problems.remove(paths.announcements());
            stale.addAll(names);
        }
        listed = true;
        List.copyOf(nodes.keySet()).stream()
                .filter(name -> !stale.contains(name))
                .forEach(this::remove);
        readStale();
    }

    private void process(Session source, WatchedEvent event) {
        String path = event.getPath();
        if (source != session || !Paths.parentOf(path).equals(paths.announcements())) {
            return;
        }
        String name = Paths.nameOf(path);
        if (event.getType() == EventType.NodeDeleted) {
            stale.remove(name);
            remove(name);
        } else {
            stale.add(name);
        }
        readStale();
    }

    private void remove(String name) {
        put(name, null);
        problems.remove(paths.announcement(name));
        failures.remove(paths.announcement(name));
    }

    private void put(String name, Node node) {
        Node before = node == null ? nodes.remove(name) : nodes.put(name, node);
        budget.replace(before == null ? 0 : before.length(), node == null ? 0 : node.length());
    }

    private void readStale() {
        if (!listed || !beingRead.isEmpty()) {
            return;
        }
        if (stale.isEmpty()) {
            known = true;
            attempt(paths.announcements(), changed, this::readStale);
            return;
        }
        String name = stale.iterator().next();
        stale.remove(name);
        beingRead = name;
        int begun = starts;
        // A packet of its own: the replies to a lease wait behind it.
        session.read(paths.announcement(name)).whenComplete((found, thrown) -> {
            // A lost connection is followed by a start.
            if (begun == starts && (thrown == null || !Failure.of(thrown).isUnknown())) {
                attempt(paths.announcement(name), () -> apply(name, found, thrown), () -> readAgain(name));
                beingRead = NOTHING;
                readStale();
            }
        });
    }

    private void readAgain(String name) {
        stale.add(name);
        readStale();
    }

    /** Applies the result of a read. */
    private void apply(String name, NodeData found, Throwable thrown) {
        if (thrown == null) {
            apply(name, found);
            return;
        }
        Failure failure = Failure.of(thrown);
        if (failure.is(Code.NONODE)) {
            remove(name);
        } else {
            put(name, nodes.getOrDefault(name, Node.UNREAD).denied());
            report(paths.announcement(name), denied(paths.announcement(name), failure));
            readAfterDenial(name);
        }
    }

    private void apply(String name, NodeData found) {
        Node before = nodes.get(name);
        if (before != null && before.changed() == found.stat().getMzxid()) {
            return;
        }
        String path = paths.announcement(name);
        Optional<SharedAnnouncement> announcement = Optional.empty();
        if (!AnnouncementName.isOwned(name, found.stat().getEphemeralOwner())) {
            report(path, NodeKind.foreignSentence(path));
        } else if (!AnnouncementName.isOwned(name, session.id())
                && !budget.hasRoom(before == null ? 0 : before.length(), found.data().length)) {
            report(
                    path,
                    "The announcement in " + path + " of " + found.data().length + " bytes is left out: this instance"
                            + " keeps at most " + budget.max() + " bytes of all announcements. Give it more memory, or"
                            + " have the instances of other clusters offer smaller properties.");
            readAfterDenial(name);
        } else {
            try {
                announcement = Optional.of(codecs.announcements().read(name, found.data(), ownCluster));
                problems.remove(path);
            } catch (Unreadable e) {
                report(
                        path,
                        "The announcement in " + path + " cannot be read: " + e.getMessage()
                                + ". It is left out; find out which client wrote it.");
            }
        }
        boolean again = announcement.isEmpty() && this.again.contains(name);
        put(
                name,
                new Node(
                        found.stat().getCzxid(),
                        again ? Node.NEVER : found.stat().getMzxid(),
                        announcement));
    }

    private static String denied(String path, Failure failure) {
        return "Announcements in " + path + " cannot be read: ZooKeeper replies " + failure.code()
                + ". What was read before stays. Check the access rights.";
    }

    private void report(String path, String sentence) {
        if (!sentence.equals(problems.put(path, sentence))) {
            LOG.warn(sentence);
        }
    }

    /** Runs a step, and another one later if it fails: also after an Error, because memory may be there again a moment later. */
    private void attempt(String path, Runnable step, Runnable later) {
        String before = failures.remove(path);
        if (before != null) {
            problems.remove(path, before);
        }
        try {
            step.run();
        } catch (Throwable e) {
            int begun = starts;
            thread.schedule(FAILED_AGAIN_MILLIS, () -> {
                if (begun == starts) {
                    later.run();
                }
            });
            String sentence = "What was read of " + path + " cannot be processed: " + e + ". It is tried again.";
            problems.put(path, sentence);
            failures.put(path, sentence);
            if (!sentence.equals(before)) {
                LOG.warn(sentence, e);
            }
        }
    }

    private void readAfterDenial(String name) {
        if (again.add(name)) {
            int begun = starts;
            thread.schedule(DENIED_AGAIN_MILLIS, () -> {
                if (begun == starts) {
                    again.remove(name);
                    readAgain(name);
                }
            });
        }
    }

    private void startAfterDenial() {
        if (startAgainOf != starts) {
            startAgainOf = starts;
            int begun = starts;
            thread.schedule(DENIED_AGAIN_MILLIS, () -> {
                if (begun == starts) {
                    start(session);
                }
            });
        }
    }
}
