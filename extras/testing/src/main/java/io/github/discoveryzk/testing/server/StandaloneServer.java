// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.server;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;

/** A ZooKeeper server on loopback, of the client's version or of another one. */
public interface StandaloneServer extends AutoCloseable {

    /** Returns the address for clients. */
    String address();

    /** Returns the port for clients. */
    int port();

    /** Returns the session of the client that is connected from a port of this machine. */
    long session(int clientPort);

    /** Ends a session as the server does when it hears nothing for too long. */
    void expire(long session);

    /** Returns whether there is a node. */
    boolean exists(String path);

    /** Returns the names of the children of a node. */
    List<String> children(String path) throws Exception;

    /** Does something as a foreign client. */
    @SuppressWarnings("try")
    default void with(Operation operation) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZKClientConfig config = new ZKClientConfig();
        // It lists nodes with any number of children.
        config.setProperty(ZKConfig.JUTE_MAXBUFFER, String.valueOf(100 * 1024 * 1024));
        try (ZooKeeper client = new ZooKeeper(address(), 10_000, event -> connected.countDown(), config)) {
            connected.await();
            operation.run(client);
        }
    }

    /** Deletes a node with all below it, as a foreign client. */
    default void delete(String path) throws Exception {
        with(client -> ZKUtil.deleteRecursive(client, path));
    }

    /** Creates a node, as a foreign client. */
    default void create(String path, byte... bytes) throws Exception {
        with(client -> client.create(path, bytes, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
    }

    /** Stops the server. */
    @Override
    void close();

    /** What a foreign client does. */
    interface Operation {
        void run(ZooKeeper client) throws Exception;
    }
}
