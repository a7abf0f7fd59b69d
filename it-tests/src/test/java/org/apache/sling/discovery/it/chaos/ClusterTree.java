// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.StatsTrack;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/** The tree of the cluster as seen by an operator with a ZooKeeper client. For one thread. */
final class ClusterTree {

    static final String ROOT = "/sling/discovery";
    static final String CLUSTER = ROOT + "/clusters/default";

    private static final String HISTORY = CLUSTER + "/history";
    private static final String VIEW = CLUSTER + "/view";
    private static final String QUOTA = "/zookeeper/quota";
    private static final String LIMITS = "/zookeeper_limits";
    private static final String STATS = "/zookeeper_stats";
    private static final int SESSION_MILLIS = 10_000;
    private static final int TRIES = 10;

    private final String connectString;
    private final ChainRecorder chain;

    ClusterTree(String connectString, ChainRecorder chain) {
        this.connectString = connectString;
        this.chain = chain;
    }

    /** Records the views since the last call, and returns their total number. */
    int record() throws Exception {
        return ask(client -> {
            for (String name : children(client, HISTORY)) {
                record(client, HISTORY + "/" + name);
            }
            return chain.size();
        });
    }

    private void record(ZooKeeper client, String path) throws Exception {
        String name = path.substring(HISTORY.length() + 1);
        if (!chain.knows(name)) {
            chain.add(name, client.getData(path, false, null));
        }
    }

    /** Deletes a node with all its descendants, with the given number of tries in case instances create nodes meanwhile. */
    void delete(String path, int tries) throws Exception {
        ask(client -> {
            for (int i = 0; i < tries; i++) {
                try {
                    delete(client, path);
                    return null;
                } catch (KeeperException.NotEmptyException e) {
                    continue;
                }
            }
            return null;
        });
    }

    private void delete(ZooKeeper client, String path) throws Exception {
        for (String child : children(client, path)) {
            delete(client, path + "/" + child);
        }
        try {
            if (path.startsWith(HISTORY + "/")) {
                record(client, path);
            }
            client.delete(path, -1);
        } catch (KeeperException.NoNodeException e) {
            // It was deleted meanwhile.
            return;
        }
    }

    /** Returns the persistent nodes below the root, as they are now. */
    Backup backup() throws Exception {
        return ask(client -> {
            SortedMap<String, byte[]> nodes = new TreeMap<>();
            read(client, ROOT, nodes);
            return new Backup(nodes);
        });
    }

    private static void read(ZooKeeper client, String path, SortedMap<String, byte[]> nodes) throws Exception {
        try {
            Stat stat = new Stat();
            byte[] data = client.getData(path, false, stat);
            if (stat.getEphemeralOwner() == 0) {
                nodes.put(path, data);
            }
        } catch (KeeperException.NoNodeException e) {
            return;
        }
        for (String child : children(client, path)) {
            read(client, path + "/" + child, nodes);
        }
    }

    /** Restores the view with its history, or everything, after a deletion. */
    void restore(Backup backup, boolean whole) throws Exception {
        if (whole) {
            delete(ROOT, TRIES);
        }
        ask(client -> {
            for (String name : children(client, HISTORY)) {
                if (!backup.nodes().containsKey(HISTORY + "/" + name)) {
                    delete(client, HISTORY + "/" + name);
                }
            }
            for (String path : whole ? backup.nodes().keySet() : List.of(VIEW)) {
                put(client, path, backup.nodes().get(path));
            }
            return null;
        });
    }

    private static void put(ZooKeeper client, String path, byte[] data) throws Exception {
        try {
            client.create(path, data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        } catch (KeeperException.NodeExistsException e) {
            client.setData(path, data, -1);
        }
    }

    /** Returns the path of the node of a member of the present view. */
    String member(String instance) throws Exception {
        return ask(client -> {
            for (JsonNode member : chain.json(client.getData(VIEW, false, null)).path("members")) {
                if (member.path("id").asText().equals(instance)) {
                    return CLUSTER + "/members/" + member.path("node").asText();
                }
            }
            throw new IOException(instance + " is not a member of the view");
        });
    }

    /** Sets the rights of all clients to a node, and keeps the right to change them; a node that does not exist is ignored. */
    void allow(String path, int rights) throws Exception {
        ask(client -> {
            try {
                // The client calls contains(null) on the list, which List.of does not support.
                client.setACL(path, Collections.singletonList(new ACL(rights | Perms.ADMIN, Ids.ANYONE_ID_UNSAFE)), -1);
            } catch (KeeperException.NoNodeException e) {
                return null;
            }
            return null;
        });
    }

    /** Sets a quota for the root that has been used up already. */
    void limit() throws Exception {
        ask(client -> {
            String path = QUOTA;
            for (String name : ROOT.substring(1).split("/")) {
                path += "/" + name;
                put(client, path, new byte[0]);
            }
            StatsTrack limits = new StatsTrack();
            limits.setCountHardLimit(1);
            limits.setByteHardLimit(1);
            put(client, path + LIMITS, limits.getStatsBytes());
            put(client, path + STATS, new StatsTrack().getStatsBytes());
            return null;
        });
    }

    /** Removes the quota. */
    void unlimit() throws Exception {
        ask(client -> {
            for (String node : List.of(LIMITS, STATS)) {
                try {
                    client.delete(QUOTA + ROOT + node, -1);
                } catch (KeeperException.NoNodeException e) {
                    continue;
                }
            }
            return null;
        });
    }

    private static List<String> children(ZooKeeper client, String path) throws Exception {
        try {
            List<String> names = new ArrayList<>(client.getChildren(path, false));
            names.sort(null);
            return names;
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        }
    }

    /** A query, which can be repeated when the connection is lost. */
    private <T> T ask(Question<T> question) throws Exception {
        for (int i = 1; ; i++) {
            CountDownLatch connected = new CountDownLatch(1);
            ZooKeeper client = new ZooKeeper(connectString, SESSION_MILLIS, event -> connected.countDown());
            try {
                connected.await(Limits.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
                return question.ask(client);
            } catch (KeeperException.ConnectionLossException | KeeperException.SessionExpiredException e) {
                if (i == TRIES) {
                    throw e;
                }
            } finally {
                client.close();
            }
        }
    }

    @FunctionalInterface
    private interface Question<T> {
        T ask(ZooKeeper client) throws Exception;
    }

    /** The data of nodes, by path; parents come first. */
    record Backup(SortedMap<String, byte[]> nodes) {}
}
