// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.member;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.framework.recipes.shared.SharedValue;
import org.apache.curator.framework.recipes.shared.SharedValueListener;
import org.apache.curator.framework.recipes.shared.SharedValueReader;
import org.apache.curator.framework.state.ConnectionState;

/** Curator's {@code SharedValue}, and its cache of a folder with an entry for each key. */
final class CuratorData implements BenchmarkData {
    private static final String ONE = "/one";
    private static final String MAP = "/map";

    private final String id;
    private final Recorder recorder;
    private final CuratorFramework client;
    private final SharedValue one;
    private final CuratorCache map;
    /** The entries that have the newest value. */
    private final Set<String> changed = new HashSet<>();

    private String newest = "";

    CuratorData(String id, CuratorFramework client, Recorder recorder) {
        this.id = id;
        this.recorder = recorder;
        this.client = client;
        one = new SharedValue(client, ONE, new byte[0]);
        map = CuratorCache.build(client, MAP);
    }

    void open() throws Exception {
        client.createContainers(MAP);
        one.getListenable().addListener(new SharedValueListener() {
            @Override
            public void valueHasChanged(SharedValueReader shared, byte[] now) {
                recorder.shown(id, text(now));
            }

            @Override
            public void stateChanged(CuratorFramework changedClient, ConnectionState state) {
                // The servers run as long as the benchmark does.
            }
        });
        one.start();
        CompletableFuture<Void> read = new CompletableFuture<>();
        map.listenable()
                .addListener(CuratorCacheListener.builder()
                        .forCreates(this::show)
                        .forChanges((before, after) -> show(after))
                        .forInitialized(() -> read.complete(null))
                        .build());
        map.start();
        read.get(BenchmarkMember.CONNECT_SECONDS, TimeUnit.SECONDS);
    }

    private synchronized void show(ChildData entry) {
        if (entry.getPath().equals(MAP)) {
            return;
        }
        String value = text(entry.getData());
        if (!value.equals(newest)) {
            changed.clear();
            newest = value;
        }
        changed.add(entry.getPath());
        if (changed.size() == ENTRIES) {
            recorder.shown(id, value);
        }
    }

    private static String text(byte... data) {
        return new String(data, StandardCharsets.UTF_8);
    }

    @Override
    public void write(String value) throws Exception {
        one.setValue(value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void writeAll(String value) throws Exception {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < ENTRIES; i++) {
            String path = MAP + "/entry" + i;
            if (map.get(path).isPresent()) {
                client.setData().inBackground().forPath(path, bytes);
            } else {
                client.create().inBackground().forPath(path, bytes);
            }
        }
    }
}
