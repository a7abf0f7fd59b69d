// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.client.StoreThread;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches the other clusters of the root, and the announcements that are shared in all clusters. They are read after the own cluster, and
 * what goes wrong with them does not concern it. The observer is notified when all of them are known. Confined to the store's thread.
 */
public final class RemoteCaches {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteCaches.class);

    private static final long DENIED_AGAIN_MILLIS = 60_000;
    private static final int NOT_STARTED = -1;

    private final Paths own;
    private final Codecs codecs;
    private final StoreThread thread;
    private final ObserverNotifier notifier;
    private final AnnouncementCache ownAnnouncements;
    private final ByteBudget budget;
    private final Consumer<List<String>> report;
    private final LastingWatch watch;
    private final Map<String, Other> others = new TreeMap<>();

    private Session session;
    private int connection = NOT_STARTED;
    private boolean listed;
    private boolean announcementsNotified;
    private List<String> problems = List.of();
    private List<RemoteCluster> clusters = List.of();
    private List<SharedAnnouncement> announcements = List.of();

    /**
     * Creates an empty cache.
     *
     * @param ownAnnouncements the announcements of the own cluster; the caller has {@link #notifyAnnouncements} called when they change
     * @param budget what all caches of announcements may keep
     * @param report receives sentences about what cannot be read, when they have changed
     */
    public RemoteCaches(
            Paths own,
            Codecs codecs,
            StoreThread thread,
            ObserverNotifier notifier,
            AnnouncementCache ownAnnouncements,
            ByteBudget budget,
            Consumer<List<String>> report) {
        this.own = own;
        this.codecs = codecs;
        this.thread = thread;
        this.notifier = notifier;
        this.ownAnnouncements = ownAnnouncements;
        this.budget = budget;
        this.report = report;
        this.watch = new LastingWatch(own.clusters(), AddWatchMode.PERSISTENT);
    }

    /** Starts over on a new connection, and returns whether it is one on which nothing was started. */
    public boolean start(Session started) {
        if (session == started && connection == started.connectionNumber()) {
            return false;
        }
        session = started;
        connection = started.connectionNumber();
        listed = false;
        announcementsNotified = false;
        watch.set(started, WatchEvents.watcher(thread, started, event -> {
            if (session == started) {
                list();
            }
        }));
        ownAnnouncements.start(started);
        others.values().forEach(other -> other.start(started));
        list();
        return true;
    }

    /** Discards what is in progress: the connection is lost. */
    public void stop() {
        connection = NOT_STARTED;
        ownAnnouncements.stop();
        others.values().forEach(other -> other.announcements.stop());
    }

    private void list() {
        Session asked = session;
        asked.list(own.clusters()).whenComplete((names, thrown) -> {
            if (asked != session || connection == NOT_STARTED) {
                return;
            }
            if (thrown == null) {
                follow(names);
            } else {
                handleFailure(asked, Failure.of(thrown));
            }
        });
    }

    private void handleFailure(Session asked, Failure failure) {
        if (failure.isUnknown() || failure.is(Code.NONODE)) {
            return;
        }
        LOG.warn(
                "The clusters below {} cannot be listed: ZooKeeper replies {}. No other clusters are shown that this"
                        + " instance does not know yet. Check the access rights.",
                own.clusters(),
                failure.code());
        listed = true;
        notifyClusters();
        notifyAnnouncements();
        int denied = connection;
        thread.schedule(DENIED_AGAIN_MILLIS, () -> {
            if (asked == session && denied == connection) {
                list();
            }
        });
    }

    private void follow(List<String> names) {
        others.entrySet().removeIf(other -> {
            boolean gone = !names.contains(other.getKey());
            if (gone) {
                other.getValue().close();
            }
            return gone;
        });
        for (String name : names) {
            if (!own.clusterName().equals(name) && !others.containsKey(name)) {
                Paths paths = new Paths(own.root(), name);
                Other other = new Other(
                        new RemoteCache(paths, codecs, thread, this::notifyClusters),
                        new AnnouncementCache(paths, false, codecs, thread, budget, this::notifyAnnouncements));
                others.put(name, other);
                other.start(session);
            }
        }
        listed = true;
        notifyClusters();
        notifyAnnouncements();
    }

    private void notifyClusters() {
        reportProblems();
        if (!listed || !others.values().stream().allMatch(other -> other.cluster.isKnown())) {
            return;
        }
        List<RemoteCluster> now = new ArrayList<>();
        others.values().forEach(other -> other.cluster.cluster().ifPresent(now::add));
        if (!now.equals(clusters)) {
            clusters = List.copyOf(now);
            notifier.notifyRemotes(clusters);
        }
    }

    /** Notifies the observer of all announcements, once after each connect and when they have changed, as soon as all are known. */
    public void notifyAnnouncements() {
        reportProblems();
        boolean known =
                ownAnnouncements.isKnown() && others.values().stream().allMatch(other -> other.announcements.isKnown());
        if (!listed || !known) {
            return;
        }
        Stream<AnnouncementCache> all = Stream.concat(
                Stream.of(ownAnnouncements), others.values().stream().map(Other::announcements));
        List<SharedAnnouncement> now = newest(all.flatMap(AnnouncementCache::announcements));
        if (!announcementsNotified || !now.equals(announcements)) {
            announcementsNotified = true;
            announcements = now;
            notifier.notifyAnnouncements(now);
        }
    }

    private void reportProblems() {
        List<String> now = Stream.concat(
                        ownAnnouncements.problems().stream(),
                        others.values().stream().flatMap(Other::problems))
                .toList();
        if (!now.equals(problems)) {
            problems = now;
            report.accept(now);
        }
    }

    /** What a holder shared in an earlier session stays until that ends. */
    private static List<SharedAnnouncement> newest(Stream<AnnouncementCache.Shared> all) {
        Map<List<String>, AnnouncementCache.Shared> newest = all.collect(Collectors.toMap(
                shared -> List.of(
                        shared.announcement().holder(), shared.announcement().ownerId()),
                shared -> shared,
                BinaryOperator.maxBy(AnnouncementCache.Shared.BY_CREATION),
                () -> new TreeMap<>(AnnouncementCache.Shared.BY_HOLDER_AND_OWNER)));
        return newest.values().stream()
                .map(AnnouncementCache.Shared::announcement)
                .toList();
    }

    /** Another cluster. */
    private record Other(RemoteCache cluster, AnnouncementCache announcements) {
        void start(Session session) {
            cluster.start(session);
            announcements.start(session);
        }

        Stream<String> problems() {
            return Stream.concat(cluster.problem().stream(), announcements.problems().stream());
        }

        void close() {
            cluster.close();
            announcements.close();
        }
    }
}
