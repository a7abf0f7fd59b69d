// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.warmup;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.NodeData;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.SetDataRequest;

/**
 * A session with nodes that exist in memory only. It replies at once, unlike a server also before earlier events are processed, so its client
 * makes one step at a time. It checks no versions. Confined to the store's thread.
 */
final class ImaginedSession implements Session {
    static final int TIMEOUT_MILLIS = 10_000;

    private final TreeMap<String, NodeData> nodes = new TreeMap<>();
    private final Map<String, Watcher> watchers = new LinkedHashMap<>();
    private long transaction = 1;
    private int watches;

    /** Creates a node or replaces its data, as another client does. */
    void put(String path, byte[] data) {
        transaction++;
        putNode(path, data);
    }

    /** Deletes a node, as another client does. */
    void remove(String path) {
        transaction++;
        removeNode(path);
    }

    /** Returns how many watches were set; each full read sets them all. */
    int watches() {
        return watches;
    }

    @Override
    public long id() {
        return 1;
    }

    @Override
    public int sessionTimeoutMillis() {
        return TIMEOUT_MILLIS;
    }

    @Override
    public int connectionNumber() {
        return 1;
    }

    @Override
    public void reportDisconnect() {
        // This connection is never lost.
    }

    @Override
    public CompletableFuture<NodeData> read(String path) {
        NodeData found = nodes.get(path);
        return found == null
                ? CompletableFuture.failedFuture(new Failure(Code.NONODE, path))
                : CompletableFuture.completedFuture(new NodeData(found.data(), stat(path, found)));
    }

    @Override
    public CompletableFuture<List<String>> list(String path) {
        return read(path).thenApply(found -> children(path));
    }

    @Override
    public CompletableFuture<Stat> exists(String path) {
        return read(path).thenApply(NodeData::stat);
    }

    @Override
    public CompletableFuture<String> create(String path, byte[] data, CreateMode mode) {
        String parent = Paths.parentOf(path);
        if (!parent.equals("/") && !nodes.containsKey(parent)) {
            return CompletableFuture.failedFuture(new Failure(Code.NONODE, path));
        }
        put(path, data);
        return CompletableFuture.completedFuture(path);
    }

    @Override
    public CompletableFuture<Stat> write(String path, byte[] data, int version) {
        put(path, data);
        return exists(path);
    }

    @Override
    public CompletableFuture<Void> delete(String path) {
        remove(path);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> watch(String path, Watcher watcher, AddWatchMode mode) {
        watchers.put(path, watcher);
        watches++;
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> unwatch(String path) {
        watchers.remove(path);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<List<OpResult>> multi(List<Op> operations) {
        transaction++;
        return CompletableFuture.completedFuture(
                operations.stream().map(this::perform).toList());
    }

    @Override
    public CompletableFuture<List<OpResult>> readAll(List<Op> reads) {
        return multi(reads);
    }

    private OpResult perform(Op operation) {
        String path = operation.getPath();
        NodeData found = nodes.get(path);
        switch (operation.getType()) {
            case OpCode.create -> {
                putNode(path, ((CreateRequest) operation.toRequestRecord()).getData());
                return new OpResult.CreateResult(path);
            }
            case OpCode.setData -> {
                putNode(path, ((SetDataRequest) operation.toRequestRecord()).getData());
                return new OpResult.SetDataResult(nodes.get(path).stat());
            }
            case OpCode.delete -> {
                removeNode(path);
                return new OpResult.DeleteResult();
            }
            case OpCode.getData -> {
                return found == null
                        ? new OpResult.ErrorResult(Code.NONODE.intValue())
                        : new OpResult.GetDataResult(found.data(), stat(path, found));
            }
            case OpCode.getChildren -> {
                return found == null
                        ? new OpResult.ErrorResult(Code.NONODE.intValue())
                        : new OpResult.GetChildrenResult(children(path));
            }
            default -> {
                return new OpResult.CheckResult();
            }
        }
    }

    private void putNode(String path, byte[] data) {
        NodeData before = nodes.get(path);
        Stat stat = new Stat();
        stat.setCzxid(before == null ? transaction : before.stat().getCzxid());
        stat.setMzxid(transaction);
        // What no session owns is not a member.
        stat.setEphemeralOwner(id());
        stat.setVersion(before == null ? 0 : before.stat().getVersion() + 1);
        nodes.put(path, new NodeData(data, stat));
        report(before == null ? EventType.NodeCreated : EventType.NodeDataChanged, path);
    }

    private void removeNode(String path) {
        nodes.remove(path);
        report(EventType.NodeDeleted, path);
    }

    private void report(EventType type, String path) {
        for (String watched : new String[] {path, Paths.parentOf(path)}) {
            Watcher watcher = watchers.get(watched);
            if (watcher != null) {
                watcher.process(new WatchedEvent(type, KeeperState.SyncConnected, path, transaction));
            }
        }
    }

    private Stat stat(String path, NodeData node) {
        node.stat().setNumChildren(children(path).size());
        return node.stat();
    }

    private List<String> children(String path) {
        List<String> names = new ArrayList<>();
        for (String below : nodes.tailMap(path + "/").keySet()) {
            if (!below.startsWith(path + "/")) {
                break;
            }
            if (Paths.parentOf(below).equals(path)) {
                names.add(Paths.nameOf(below));
            }
        }
        return names;
    }
}
