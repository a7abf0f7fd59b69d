// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.client.StoreThread;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * Caches the other clusters of the root. They are read after the own one, and what goes wrong with them does not concern it. The observer
 * is notified when all of them are known. Confined to the store's thread.
 */
public final class RemoteCaches {
    private final Paths own;
    private final Codecs codecs;
    private final StoreThread thread;
    private final ObserverNotifier notifier;
    private final Map<String, RemoteCache> caches = new TreeMap<>();

    private Session session;
    private int connection;
    private boolean listed;
    private List<RemoteCluster> notified = List.of();

    public RemoteCaches(Paths own, Codecs codecs, StoreThread thread, ObserverNotifier notifier) {
        this.own = own;
        this.codecs = codecs;
        this.thread = thread;
        this.notifier = notifier;
    }

    /** Starts over on a new connection; does nothing on one on which they were started. */
    public void start(Session started) {
        if (session == started && connection == started.connectionNumber()) {
            return;
        }
        connection = started.connectionNumber();
        listed = false;
        if (session != started) {
            session = started;
            caches.clear();
            Watcher watcher = event -> thread.execute(() -> {
                if (session == started && event.getType() != EventType.None) {
                    list();
                }
            });
            started.watch(own.clusters(), watcher, AddWatchMode.PERSISTENT);
        }
        caches.values().forEach(RemoteCache::start);
        list();
    }

    private void list() {
        Session asked = session;
        asked.list(own.clusters()).thenAccept(names -> {
            if (asked == session) {
                follow(names);
            }
        });
    }

    private void follow(List<String> names) {
        caches.entrySet().removeIf(cache -> {
            boolean gone = !names.contains(cache.getKey());
            if (gone) {
                cache.getValue().close();
            }
            return gone;
        });
        for (String name : names) {
            if (!own.clusterName().equals(name) && !caches.containsKey(name)) {
                RemoteCache cache =
                        new RemoteCache(new Paths(own.root(), name), codecs, thread, session, this::changed);
                caches.put(name, cache);
                cache.start();
            }
        }
        listed = true;
        changed();
    }

    private void changed() {
        if (!listed || !caches.values().stream().allMatch(RemoteCache::isKnown)) {
            return;
        }
        List<RemoteCluster> clusters = new ArrayList<>();
        caches.values().forEach(cache -> cache.cluster().ifPresent(clusters::add));
        if (!clusters.equals(notified)) {
            notified = List.copyOf(clusters);
            notifier.notifyRemotes(notified);
        }
    }
}
