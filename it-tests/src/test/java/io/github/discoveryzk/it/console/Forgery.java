// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * A client that writes data into the store that no instance would write. The members that it creates are admitted to the view,
 * because no change waits for a newcomer; they end with it.
 */
final class Forgery implements AutoCloseable {

    private static final String CLUSTER = "/sling/discovery/clusters/default/";
    private static final int SESSION_MILLIS = 30_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ZooKeeper client;
    private long random = 0x4711;

    Forgery(String connectString) throws Exception {
        client = new ZooKeeper(connectString, SESSION_MILLIS, event -> {});
    }

    /** Adds members in one transaction, so that all others see one change. */
    List<String> join(List<Map<String, Object>> records) throws Exception {
        List<Op> creations = new ArrayList<>();
        for (Map<String, Object> record : records) {
            creations.add(creation(
                    "members/" + String.format("m-%016x-1-1-", random++),
                    JSON.writeValueAsBytes(record),
                    CreateMode.EPHEMERAL_SEQUENTIAL));
        }
        return client.multi(creations).stream()
                .map(result -> ((OpResult.CreateResult) result).getPath())
                .toList();
    }

    /** Removes members in one transaction. */
    void leave(List<String> paths) throws Exception {
        client.multi(paths.stream().map(path -> Op.delete(path, -1)).toList());
    }

    /** Creates a node that ends with this client. */
    void add(String path, String data) throws KeeperException, InterruptedException {
        client.create(CLUSTER + path, data.getBytes(StandardCharsets.UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
    }

    private static Op creation(String path, byte[] data, CreateMode mode) {
        return Op.create(CLUSTER + path, data, Ids.OPEN_ACL_UNSAFE, mode);
    }

    /** Returns a record as an instance writes it, with its own host. */
    static Map<String, Object> record(String id, String host, Map<String, String> properties) {
        return new TreeMap<>(Map.of(
                "format",
                1,
                "instanceId",
                id,
                "runtimeId",
                UUID.randomUUID().toString(),
                "host",
                host,
                "pid",
                4711,
                "home",
                "/opt/" + host,
                "started",
                1_790_000_000_000L,
                "sessionTimeout",
                SESSION_MILLIS,
                "properties",
                properties));
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
