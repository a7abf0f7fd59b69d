// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.discoveryzk.it.chaos.recorder.Entry.Published;
import io.github.discoveryzk.it.chaos.recorder.RecordingFile;
import io.github.discoveryzk.it.outside.Limit;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.StatsTrack;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * The tree of the cluster as seen by an operator with a ZooKeeper client, who records each view of the history once, before the servers
 * delete the oldest. For one thread.
 */
public final class ClusterTree {

    static final String ROOT = "/sling/discovery";
    static final String CLUSTER = ROOT + "/clusters/default";
    private static final String HISTORY = CLUSTER + "/history";
    private static final String VIEW = CLUSTER + "/view";
    private static final String QUOTA = "/zookeeper/quota";
    private static final String LIMITS = QUOTA + ROOT + "/zookeeper_limits";
    private static final String STATS = QUOTA + ROOT + "/zookeeper_stats";
    private static final int SESSION_MILLIS = 10_000;
    private static final int TRIES = 10;
    private static final int GZIP = 0x1f;

    private final String connectString;
    private final Path recordings;
    private final ObjectMapper json = new ObjectMapper();
    private final Set<String> known = new HashSet<>();
    private final Map<Long, List<String>> members = new HashMap<>();

    /** Prepares a client of these servers, which keeps the views that it records in that folder. */
    public ClusterTree(String connectString, Path recordings) {
        this.connectString = connectString;
        this.recordings = recordings;
    }

    /** Records the views since the last call, and returns their total number. */
    int record() throws Exception {
        return ask(client -> {
            for (String name : children(client, HISTORY)) {
                record(client, name);
            }
            return known.size();
        });
    }

    /** Returns how many views the servers keep in the history. */
    int kept() throws Exception {
        return ask(client -> children(client, HISTORY).size());
    }

    private void record(ZooKeeper client, String name) throws Exception {
        if (!known.contains(name)) {
            Stat stat = new Stat();
            JsonNode view = json(client.getData(HISTORY + "/" + name, false, stat));
            long number = view.path("number").asLong();
            members.put(number, members(view));
            long age = System.currentTimeMillis() - view.path("published").asLong();
            try (RecordingFile file = new RecordingFile(recordings.resolve("views.log"))) {
                file.add(new Published(
                        number,
                        view.path("previous").asLong(),
                        view.path("token").asLong(),
                        members.get(number),
                        System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(age),
                        stat.getCzxid()));
            }
            known.add(name);
        }
    }

    /** Returns the members of a view, made from those of the view before and the difference. */
    private List<String> members(JsonNode view) {
        int size = view.path("size").asInt();
        List<String> joined = new ArrayList<>();
        view.path("joined").forEach(member -> joined.add(member(member)));
        List<String> all = new ArrayList<>();
        if (joined.size() < size) {
            all.addAll(members.getOrDefault(view.path("previous").asLong(), List.of()));
            view.path("removed").forEach(member -> all.remove(member(member)));
        }
        all.addAll(joined);
        if (all.size() != size) {
            throw new IllegalStateException(
                    "view " + view.path("number") + " does not follow the views before it: " + view);
        }
        return all;
    }

    private static String member(JsonNode member) {
        return member.path("node").asText() + "=" + member.path("id").asText();
    }

    /** Reads the data that discovery has written into a node. */
    private JsonNode json(byte[] bytes) throws IOException {
        InputStream plain = new ByteArrayInputStream(bytes);
        try (InputStream in = bytes.length > 0 && bytes[0] == GZIP ? new GZIPInputStream(plain) : plain) {
            return json.readTree(in);
        }
    }

    /** Returns the cluster as it is now, a line for each node, for a test that failed; of the history the newest entries. */
    String describe() throws Exception {
        return ask(client -> {
            List<String> lines = new ArrayList<>();
            for (String part : children(client, CLUSTER)) {
                String path = CLUSTER + "/" + part;
                List<String> nodes = new ArrayList<>(children(client, path));
                nodes.sort(Comparator.reverseOrder());
                lines.add(line(client, path));
                for (String node : nodes.subList(0, Math.min(TRIES, nodes.size()))) {
                    lines.add(line(client, path + "/" + node));
                }
            }
            return String.join("\n", lines);
        });
    }

    private String line(ZooKeeper client, String path) throws Exception {
        try {
            byte[] data = client.getData(path, false, null);
            return path + " " + (data == null || data.length == 0 ? "" : json(data));
        } catch (KeeperException.NoNodeException e) {
            return path + " is gone";
        }
    }

    /** Deletes a node with all its descendants, with the given number of tries in case instances create nodes meanwhile. */
    void delete(String path, int tries) throws Exception {
        ask(client -> {
            boolean deleted = false;
            for (int i = 0; i < tries && !deleted; i++) {
                deleted = delete(client, path);
            }
            return null;
        });
    }

    /** Returns false when a child was created meanwhile. */
    private boolean delete(ZooKeeper client, String path) throws Exception {
        boolean deleted = true;
        for (String child : children(client, path)) {
            deleted &= delete(client, path + "/" + child);
        }
        try {
            if (path.startsWith(HISTORY + "/")) {
                record(client, path.substring(HISTORY.length() + 1));
            }
            client.delete(path, -1);
            return deleted;
        } catch (KeeperException.NotEmptyException e) {
            return false;
        } catch (KeeperException.NoNodeException e) {
            // It was deleted meanwhile.
            return deleted;
        }
    }

    /** Returns the data of the persistent nodes below the root, as they are now, by path; parents come first. */
    SortedMap<String, byte[]> backup() throws Exception {
        return ask(client -> {
            SortedMap<String, byte[]> nodes = new TreeMap<>();
            read(client, ROOT, nodes);
            return nodes;
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
    void restore(SortedMap<String, byte[]> backup, boolean whole) throws Exception {
        if (whole) {
            delete(ROOT, TRIES);
        }
        ask(client -> {
            for (String name : children(client, HISTORY)) {
                if (!backup.containsKey(HISTORY + "/" + name)) {
                    delete(client, HISTORY + "/" + name);
                }
            }
            for (String path : whole ? backup.keySet() : List.of(VIEW)) {
                put(client, path, backup.get(path));
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
            for (JsonNode member : json(client.getData(VIEW, false, null)).path("members")) {
                if (member.path("id").asText().equals(instance)) {
                    return CLUSTER + "/members/" + member.path("node").asText();
                }
            }
            throw new IOException(instance + " is not a member of the view");
        });
    }

    /** Sets the rights of all clients to a node, and keeps the right to change them; a node that does not exist is ignored. */
    void allow(String path, int rights) throws Exception {
        // The client calls contains(null) on the list, which List.of does not support.
        List<ACL> all = Collections.singletonList(new ACL(rights | Perms.ADMIN, Ids.ANYONE_ID_UNSAFE));
        unlessMissing(client -> client.setACL(path, all, -1));
    }

    /** Sets a quota for the root that has been used up already. */
    public void limit() throws Exception {
        ask(client -> {
            for (int end = ROOT.indexOf('/', 1); end > 0; end = ROOT.indexOf('/', end + 1)) {
                put(client, QUOTA + ROOT.substring(0, end), new byte[0]);
            }
            put(client, QUOTA + ROOT, new byte[0]);
            StatsTrack limits = new StatsTrack();
            limits.setCountHardLimit(1);
            limits.setByteHardLimit(1);
            put(client, LIMITS, limits.getStatsBytes());
            put(client, STATS, new StatsTrack().getStatsBytes());
            return null;
        });
    }

    /** Removes the quota. */
    public void unlimit() throws Exception {
        for (String node : List.of(LIMITS, STATS)) {
            unlessMissing(client -> {
                client.delete(node, -1);
                return null;
            });
        }
    }

    private void unlessMissing(Question<?> question) throws Exception {
        try {
            ask(question);
        } catch (KeeperException.NoNodeException e) {
            // There is nothing to change.
            return;
        }
    }

    private static List<String> children(ZooKeeper client, String path) throws Exception {
        try {
            return client.getChildren(path, false).stream().sorted().toList();
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        }
    }

    /** Asks a question, which can be repeated when the connection is lost. */
    private <T> T ask(Question<T> question) throws Exception {
        for (int i = 1; ; i++) {
            CountDownLatch connected = new CountDownLatch(1);
            ZooKeeper client = new ZooKeeper(connectString, SESSION_MILLIS, event -> connected.countDown());
            try {
                connected.await(Limit.millis(), TimeUnit.MILLISECONDS);
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
}
