// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.others;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.model.Bytes;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;
import org.apache.sling.discovery.zk.cache.ObserverNotifier;
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
 * The other clusters of the root, and the announcements that are shared in all clusters. They are read after the local cluster, and what
 * goes wrong with them does not concern it. The observer gets whole lists, when all of them are known. Confined to the store's thread.
 */
public final class OtherClusters {
    private static final Logger LOG = LoggerFactory.getLogger(OtherClusters.class);

    private static final long DENIED_AGAIN_MILLIS = 60_000;
    private static final Comparator<List<String>> BY_HOLDER_AND_OWNER =
            Comparator.<List<String>, String>comparing(key -> key.get(0)).thenComparing(key -> key.get(1));

    private final Paths own;
    private final StoreThread thread;
    private final ObserverNotifier notifier;
    private final Consumer<List<String>> report;
    private final Function<Paths, Other> factory;
    private final Announcements announcements;
    private final AnnouncementWriter writer;
    private final LastingWatch watch;
    private final Map<String, Other> others = new TreeMap<>();

    /** What belongs to the present connection; null without one. */
    private Round round;

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
        ByteBudget budget = ByteBudget.ofHeap();
        this.factory = paths -> new Other(
                new OtherCluster(paths, codecs, thread, this::deliver),
                new Announcements(paths, false, codecs, thread, budget, this::deliver));
        this.announcements = new Announcements(own, true, codecs, thread, budget, this::handleOwnAnnouncements);
        this.writer = new AnnouncementWriter(own, codecs.announcements(), announcements, thread, notifier);
        this.watch = new LastingWatch(own.clusters(), AddWatchMode.PERSISTENT, event -> list());
    }

    /** Sets what this instance shares, by owner. */
    public void share(Map<String, Bytes> contents) {
        writer.share(contents);
    }

    /** Sets the id of this instance, without which nothing is shared. */
    public void identify(String instanceId) {
        writer.identify(instanceId);
    }

    /** Starts over, unless that was done on this connection. */
    public void start(Session started) {
        if (round != null && round.session == started && round.connection == started.connectionNumber()) {
            return;
        }
        round = new Round(started);
        watch.set(started);
        announcements.nodes().start(started);
        others.values().forEach(other -> other.start(started));
        list();
        writer.start(started);
    }

    /** Discards what is in progress: the connection is lost. */
    public void stop() {
        round = null;
        announcements.nodes().stop();
        others.values().forEach(Other::stop);
        writer.stop();
    }

    private void list() {
        Round asked = round;
        if (asked != null) {
            asked.session.list(own.clusters()).whenComplete((names, thrown) -> {
                if (asked == round) {
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
        Round denied = round;
        denied.listed = true;
        deliver();
        thread.schedule(DENIED_AGAIN_MILLIS, () -> {
            if (denied == round) {
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
                Other other = factory.apply(new Paths(own.root(), name));
                others.put(name, other);
                other.start(round.session);
            }
        }
        round.listed = true;
        deliver();
    }

    private void handleOwnAnnouncements() {
        deliver();
        writer.advance();
    }

    /** Notifies the observer of what has changed, and of all announcements once after each connect, as soon as all are known. */
    private void deliver() {
        report.accept(Stream.concat(
                        announcements.nodes().problems().stream(),
                        others.values().stream().flatMap(Other::problems))
                .toList());
        if (round == null || !round.listed) {
            return;
        }
        if (others.values().stream().allMatch(other -> other.cluster.nodes().isKnown())) {
            List<RemoteCluster> now = others.values().stream()
                    .flatMap(other -> other.cluster.shown().stream())
                    .toList();
            if (!now.equals(clusters)) {
                clusters = now;
                notifier.notifyRemotes(now);
            }
        }
        List<Announcements> all = Stream.concat(
                        Stream.of(announcements), others.values().stream().map(Other::announcements))
                .toList();
        if (all.stream().allMatch(each -> each.nodes().isKnown())) {
            List<SharedAnnouncement> now = newest(all.stream().flatMap(Announcements::readable));
            if (!round.notified || !now.equals(shared)) {
                round.notified = true;
                shared = now;
                notifier.notifyAnnouncements(now);
            }
        }
    }

    /** What a holder shared in an earlier session stays until that ends. */
    private static List<SharedAnnouncement> newest(Stream<Announcements.Shared> all) {
        Map<List<String>, Announcements.Shared> newest = all.collect(Collectors.toMap(
                shared -> List.of(
                        shared.announcement().orElseThrow().holder(),
                        shared.announcement().orElseThrow().ownerId()),
                shared -> shared,
                BinaryOperator.maxBy(Announcements.Shared.BY_CREATION),
                () -> new TreeMap<>(BY_HOLDER_AND_OWNER)));
        return newest.values().stream()
                .flatMap(each -> each.announcement().stream())
                .toList();
    }

    /** What belongs to one connection. */
    private static final class Round {
        private final Session session;
        private final int connection;
        private boolean listed;
        private boolean notified;

        private Round(Session session) {
            this.session = session;
            this.connection = session.connectionNumber();
        }
    }

    private record Other(OtherCluster cluster, Announcements announcements) {
        void start(Session session) {
            cluster.nodes().start(session);
            announcements.nodes().start(session);
        }

        void stop() {
            cluster.nodes().stop();
            announcements.nodes().stop();
        }

        Stream<String> problems() {
            return Stream.concat(cluster.nodes().problems().stream(), announcements.nodes().problems().stream());
        }

        void close() {
            cluster.nodes().close();
            announcements.nodes().close();
        }
    }
}
