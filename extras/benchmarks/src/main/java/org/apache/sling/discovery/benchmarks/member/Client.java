// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks.member;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/** Connects bare ZooKeeper clients. */
public final class Client {

    /** The session timeout of all contestants, the default of this project. */
    static final int SESSION_MILLIS = 10_000;

    private static final int CONNECT_SECONDS = 60;

    private Client() {}

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

    /** Creates the nodes that are missing. */
    static void create(ZooKeeper client, String... paths) throws Exception {
        for (String path : paths) {
            try {
                client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            } catch (KeeperException.NodeExistsException e) {
                // Another member was faster.
            }
        }
    }
}
