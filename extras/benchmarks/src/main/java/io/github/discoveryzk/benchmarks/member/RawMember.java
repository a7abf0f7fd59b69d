// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.member;

import java.util.HashSet;
import java.util.Set;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;

/** An ephemeral node and a persistent recursive watch; nothing is read after a change. */
final class RawMember extends ClientMember {
    private static final String ROOT = "/members";

    private final Set<String> members = new HashSet<>();

    RawMember(String id, String connectString, Recorder recorder) {
        super(id, connectString, recorder);
    }

    @Override
    public void connect() throws Exception {
        connectWith(ROOT);
        client().addWatch(ROOT, this::process, AddWatchMode.PERSISTENT_RECURSIVE);
        list(ROOT, children -> {
                    members.clear();
                    children.forEach(name -> members.add(ROOT + "/" + name));
                })
                .get();
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
        create(ROOT + "/" + id, CreateMode.EPHEMERAL);
    }

    @Override
    public void change(String value) {
        write(ROOT + "/" + id, value);
    }
}
