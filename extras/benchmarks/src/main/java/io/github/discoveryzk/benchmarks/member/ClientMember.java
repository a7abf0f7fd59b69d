// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.member;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/** A member with a bare ZooKeeper client. What it sends and reads is used on the event thread of the client only. */
public abstract class ClientMember implements BenchmarkMember {

    /** The session timeout of all contestants, the default of this project. */
    static final int SESSION_MILLIS = 10_000;

    final String id;
    final Recorder recorder;
    private final String connectString;
    private ZooKeeper client;

    ClientMember(String id, String connectString, Recorder recorder) {
        this.id = id;
        this.connectString = connectString;
        this.recorder = recorder;
    }

    /** Connects a client. */
    public static ZooKeeper connect(String connectString) throws Exception {
        CompletableFuture<Void> connected = new CompletableFuture<>();
        ZooKeeper client = new ZooKeeper(connectString, SESSION_MILLIS, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.complete(null);
            }
        });
        connected.get(CONNECT_SECONDS, TimeUnit.SECONDS);
        return client;
    }

    ZooKeeper client() {
        return client;
    }

    /** Connects this member, and creates the nodes that are missing. */
    void connectWith(String... paths) throws Exception {
        client = connect(connectString);
        for (String path : paths) {
            try {
                client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            } catch (KeeperException.NodeExistsException e) {
                // Another member was faster.
            }
        }
    }

    /** Reads the names of children; completes when they have been taken. */
    CompletableFuture<Void> list(String path, Consumer<List<String>> taker) {
        CompletableFuture<Void> taken = new CompletableFuture<>();
        client.getChildren(
                path,
                false,
                (code, asked, context, children) -> {
                    if (children != null) {
                        taker.accept(children);
                    }
                    taken.complete(null);
                },
                null);
        return taken;
    }

    void create(String path, CreateMode mode) {
        client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, mode, (code, asked, context, name) -> {}, null);
    }

    void write(String path, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        client.setData(path, bytes, -1, (code, asked, context, stat) -> {}, null);
    }

    @Override
    public void leave() throws Exception {
        client.close();
    }
}
