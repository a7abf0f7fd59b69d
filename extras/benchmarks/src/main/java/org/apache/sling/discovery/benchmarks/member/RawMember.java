// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks.member;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/** An ephemeral node and a persistent recursive watch; nothing is read after a change. */
final class RawMember implements Member {
    private static final String ROOT = "/members";

    private final String id;
    private final String connectString;
    private final Recorder recorder;
    /** Used on the event thread of the client only. */
    private final Set<String> members = new HashSet<>();

    private ZooKeeper client;

    RawMember(String id, String connectString, Recorder recorder) {
        this.id = id;
        this.connectString = connectString;
        this.recorder = recorder;
    }

    @Override
    public void connect() throws Exception {
        client = Client.connect(connectString);
        Client.create(client, ROOT);
        client.addWatch(ROOT, this::process, AddWatchMode.PERSISTENT_RECURSIVE);
        CompletableFuture<Void> read = new CompletableFuture<>();
        client.getChildren(
                ROOT,
                false,
                (code, path, context, children) -> {
                    members.clear();
                    children.forEach(name -> members.add(ROOT + "/" + name));
                    read.complete(null);
                },
                null);
        read.get();
    }

    private void process(WatchedEvent event) {
        switch (event.getType()) {
            case NodeCreated -> members.add(event.getPath());
            case NodeDeleted -> members.remove(event.getPath());
            default -> {}
        }
        boolean changed = event.getType() == EventType.NodeDataChanged;
        recorder.notified(id, members.size(), changed ? Recorder.ANY : "");
    }

    @Override
    public void join() {
        client.create(
                ROOT + "/" + id,
                new byte[0],
                Ids.OPEN_ACL_UNSAFE,
                CreateMode.EPHEMERAL,
                (code, path, context, name) -> {},
                null);
    }

    @Override
    public void change(String value) {
        client.setData(
                ROOT + "/" + id, value.getBytes(StandardCharsets.UTF_8), -1, (code, path, context, stat) -> {}, null);
    }

    @Override
    public void leave() throws Exception {
        client.close();
    }
}
