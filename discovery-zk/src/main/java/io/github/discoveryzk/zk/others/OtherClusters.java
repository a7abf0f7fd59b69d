// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.others;

import io.github.discoveryzk.model.Bytes;
import io.github.discoveryzk.model.RemoteCluster;
import io.github.discoveryzk.model.SharedAnnouncement;
import io.github.discoveryzk.zk.cache.ObserverNotifier;
import io.github.discoveryzk.zk.client.Failure;
import io.github.discoveryzk.zk.client.Session;
import io.github.discoveryzk.zk.client.StoreThread;
import io.github.discoveryzk.zk.follow.FollowedNodes;
import io.github.discoveryzk.zk.tree.Codecs;
import io.github.discoveryzk.zk.tree.NodeKind;
import io.github.discoveryzk.zk.tree.Paths;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The other clusters of the root, and the announcements that are shared in all clusters. They are read after the local cluster, and what
 * goes wrong with them does not concern it. The observer gets whole lists, when all of them are known. Confined to the store's thread.
 */
public final class OtherClusters {
    private static final Logger LOG = LoggerFactory.getLogger(OtherClusters.class);

    private static final long DENIED_AGAIN_MILLIS = 60_000;

    /** Bounds what nodes of any number below the clusters' node cost each instance. */
    private static final int MAX_CLUSTERS = 200;

    private static final Comparator<List<String>> BY_HOLDER_AND_OWNER =
            Comparator.<List<String>, String>comparing(key -> key.get(0)).thenComparing(key -> key.get(1));

    private final Paths own;
    private final StoreThread thread;
    private final ObserverNotifier notifier;
    private final Consumer<List<String>> report;
    private final Function<Paths, Other> factory;
    private final Announcements announcements;
    private final AnnouncementWriter writer;
    private final Map<String, Other> others = new TreeMap<>();

    /** What belongs to the present connection; null without one. */
    private Listing listing;

    private List<String> tooMany = List.of();
    private List<RemoteCluster> clusters = List.of();
    private List<SharedAnnouncement> shared = List.of();

    /**
     * Creates one that knows no other cluster.
     *
     * @param report receives sentences about what cannot be read; equal ones may be repeated
     */
    public OtherClusters(
            Paths own, Codecs codecs, StoreThread thread, ObserverNotifier notifier, Consumer<List<String>> report) {
        this.own = own;
        this.thread = thread;
        this.notifier = notifier;
        this.report = report;
        Announcements.Budget budget = Announcements.Budget.ofHeap();
        this.factory = paths -> new Other(
                new OtherCluster(paths, codecs, thread, this::deliver),
                new Announcements(paths, false, thread, budget, this::deliver));
        this.announcements = new Announcements(own, true, thread, budget, this::handleOwnAnnouncements);
        this.writer = new AnnouncementWriter(own, announcements, thread, notifier);
    }

    /** Sets what this instance shares, by owner. */
    public void share(Map<String, Bytes> contents) {
        writer.share(contents);
    }

    /** Sets the id of this instance, without which nothing is shared. */
    public void identify(String instanceId) {
        writer.identify(instanceId);
    }

    /** Starts over on a new connection. */
    public void start(Session started) {
        listing = new Listing(started);
        started.watchOnce(own.clusters(), AddWatchMode.PERSISTENT, event -> list());
        all().forEach(nodes -> nodes.start(started));
        list();
        writer.start(started);
    }

    /** Discards what is in progress: the connection is lost. */
    public void stop() {
        listing = null;
        all().forEach(FollowedNodes::stop);
        writer.stop();
    }

    private Stream<FollowedNodes> all() {
        return Stream.concat(Stream.of(announcements), others.values().stream().flatMap(Other::nodes));
    }

    private void list() {
        Listing asked = listing;
        if (asked != null) {
            asked.again = asked.running;
            if (asked.running) {
                return;
            }
            asked.running = true;
            asked.session.list(own.clusters()).whenComplete((names, thrown) -> {
                if (asked == listing) {
                    asked.running = false;
                    if (asked.again) {
                        list();
                    }
                    if (thrown == null) {
                        follow(names);
                    } else {
                        handleFailure(Failure.of(thrown));
                    }
                }
            });
        }
    }

    private void handleFailure(Failure failure) {
        if (failure.isUnknown() || failure.is(Code.NONODE)) {
            return;
        }
        LOG.warn(
                "The clusters below {} cannot be listed: ZooKeeper replies {}. No other clusters are shown that this"
                        + " instance does not know yet. Check the access rights.",
                own.clusters(),
                failure.code());
        Listing denied = listing;
        denied.listed = true;
        deliver();
        thread.schedule(DENIED_AGAIN_MILLIS, () -> {
            if (denied == listing) {
                list();
            }
        });
    }

    private void follow(List<String> list) {
        Set<String> names = new TreeSet<>(list);
        if (names.size() <= MAX_CLUSTERS + 1) {
            tooMany = List.of();
        } else {
            tooMany = List.of("There are " + names.size() + " nodes below " + own.clusters()
                    + ", but this instance shows at most " + MAX_CLUSTERS
                    + " other clusters. Delete those that are not needed.");
        }
        others.keySet().stream().filter(name -> !names.contains(name)).toList().forEach(gone -> others.remove(gone)
                .nodes()
                .forEach(FollowedNodes::close));
        for (String name : names) {
            if (!own.clusterName().equals(name) && !others.containsKey(name) && others.size() < MAX_CLUSTERS) {
                others.put(name, factory.apply(new Paths(own.root(), name)));
                others.get(name).nodes().forEach(nodes -> nodes.start(listing.session));
            }
        }
        listing.listed = true;
        deliver();
    }

    private void handleOwnAnnouncements() {
        deliver();
        writer.advance();
    }

    /** Notifies the observer of what has changed, and of all announcements once after each connect, as soon as all are known. */
    private void deliver() {
        Stream<String> problems =
                Stream.concat(tooMany.stream(), all().flatMap(nodes -> nodes.problems.sentences().stream()
                        .limit(NodeKind.SHOWN_SENTENCES)));
        int count = tooMany.size()
                + all().mapToInt(nodes -> nodes.problems.sentences().size()).sum();
        report.accept(NodeKind.shortened(problems, count));
        if (listing == null || !listing.listed) {
            return;
        }
        if (others.values().stream().allMatch(other -> other.cluster.isKnown())) {
            List<RemoteCluster> now = others.values().stream()
                    .flatMap(other -> other.cluster.shown().stream())
                    .toList();
            if (!now.equals(clusters)) {
                clusters = now;
                notifier.notifyRemotes(now);
            }
        }
        List<Announcements> boards = Stream.concat(
                        Stream.of(announcements), others.values().stream().map(Other::announcements))
                .toList();
        if (boards.stream().allMatch(FollowedNodes::isKnown)) {
            List<SharedAnnouncement> now = newest(boards.stream().flatMap(Announcements::readable));
            if (!listing.notified || !now.equals(shared)) {
                listing.notified = true;
                shared = now;
                notifier.notifyAnnouncements(now);
            }
        }
    }

    /** What a holder shared in an earlier session stays until that ends. The result is sorted by holder and owner. */
    private static List<SharedAnnouncement> newest(Stream<Announcements.Shared> all) {
        Map<List<String>, SharedAnnouncement> newest = new TreeMap<>(BY_HOLDER_AND_OWNER);
        all.sorted(Comparator.comparingLong(Announcements.Shared::created))
                .map(each -> each.announcement().orElseThrow())
                .forEach(each -> newest.put(List.of(each.holder(), each.ownerId()), each));
        return List.copyOf(newest.values());
    }

    /** What belongs to one connection. */
    private static final class Listing {
        private final Session session;
        private boolean running;
        private boolean again;
        private boolean listed;
        private boolean notified;

        private Listing(Session session) {
            this.session = session;
        }
    }

    private record Other(OtherCluster cluster, Announcements announcements) {
        Stream<FollowedNodes> nodes() {
            return Stream.of(cluster, announcements);
        }
    }
}
