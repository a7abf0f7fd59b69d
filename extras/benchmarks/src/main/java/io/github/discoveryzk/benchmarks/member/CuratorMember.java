// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.member;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.framework.recipes.nodes.PersistentNode;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.CreateMode;

/** A node that Curator maintains, and Curator's cache of the nodes of all members. */
final class CuratorMember implements BenchmarkMember {
    private static final String ROOT = "/members";
    private static final int CONNECT_MILLIS = 10_000;

    private final String id;
    private final Recorder recorder;
    private final CuratorFramework client;
    private final CuratorCache cache;
    private final PersistentNode node;
    private final Set<String> members = ConcurrentHashMap.newKeySet();
    private volatile CuratorData data;

    CuratorMember(String id, String connectString, Recorder recorder) {
        this.id = id;
        this.recorder = recorder;
        client = CuratorFrameworkFactory.newClient(
                connectString, ClientMember.SESSION_MILLIS, CONNECT_MILLIS, new RetryNTimes(10, 100));
        cache = CuratorCache.build(client, ROOT);
        node = new PersistentNode(client, CreateMode.EPHEMERAL, false, ROOT + "/" + id, new byte[0]);
    }

    @Override
    public void connect() throws Exception {
        client.start();
        client.blockUntilConnected();
        CompletableFuture<Void> read = new CompletableFuture<>();
        cache.listenable()
                .addListener(CuratorCacheListener.builder()
                        .forCreates(this::add)
                        .forDeletes(this::remove)
                        .forChanges((before, after) -> emit(after.getData()))
                        .forInitialized(() -> read.complete(null))
                        .build());
        cache.start();
        read.get();
    }

    private void add(ChildData child) {
        if (!child.getPath().equals(ROOT)) {
            members.add(child.getPath());
            emit(new byte[0]);
        }
    }

    private void remove(ChildData child) {
        members.remove(child.getPath());
        emit(new byte[0]);
    }

    private void emit(byte... data) {
        recorder.notified(id, members.size(), new String(data, StandardCharsets.UTF_8));
    }

    @Override
    public void join() {
        node.start();
    }

    @Override
    public void change(String value) throws Exception {
        node.setData(value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public BenchmarkData data() throws Exception {
        if (data == null) {
            data = new CuratorData(id, client, recorder);
            data.open();
        }
        return data;
    }

    @Override
    public void leave() throws Exception {
        node.close();
        cache.close();
        client.close();
    }
}
