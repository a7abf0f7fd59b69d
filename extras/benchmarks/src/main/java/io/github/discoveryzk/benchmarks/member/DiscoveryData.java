// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.member;

import io.github.discoveryzk.base.DiscoveryInstance;
import io.github.discoveryzk.data.DataKind;
import io.github.discoveryzk.data.SharedData;
import io.github.discoveryzk.data.SharedMap;
import io.github.discoveryzk.data.SharedValue;
import io.github.discoveryzk.data.Versioned;
import io.github.discoveryzk.data.Written;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** The shared data that an instance of this project has opened. A class of its own, because another build may not have them. */
final class DiscoveryData implements BenchmarkData {
    private static final String SCOPE = "benchmark";

    private final SharedValue<String> one;
    private final SharedMap<String> map;
    private final CompletableFuture<Void> oneRead = new CompletableFuture<>();
    private final CompletableFuture<Void> mapRead = new CompletableFuture<>();

    DiscoveryData(String id, DiscoveryInstance instance, Recorder recorder) {
        SharedData data = instance.data();
        one = data.value(SCOPE, "one", DataKind.TEXT);
        map = data.map(SCOPE, "map", DataKind.TEXT);
        one.listen(now -> {
            oneRead.complete(null);
            recorder.shown(id, now.map(Versioned::value).orElse(""));
        });
        map.listen(now -> {
            mapRead.complete(null);
            recorder.shown(id, commonValue(now));
        });
    }

    /** Returns the value of all entries; empty if they differ, or some are missing. */
    private static String commonValue(Map<String, Versioned<String>> entries) {
        if (entries.size() < ENTRIES) {
            return "";
        }
        String first = entries.values().iterator().next().value();
        return entries.values().stream().allMatch(entry -> entry.value().equals(first)) ? first : "";
    }

    void awaitRead() throws Exception {
        CompletableFuture.allOf(oneRead, mapRead).get(BenchmarkMember.CONNECT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void write(String value) throws Exception {
        check(one.replace(one.get(), value));
    }

    @Override
    public void writeAll(String value) throws Exception {
        Map<String, Versioned<String>> seen = map.entries();
        List<CompletionStage<Written<String>>> writes = new ArrayList<>();
        for (int i = 0; i < ENTRIES; i++) {
            String key = "entry" + i;
            writes.add(map.replace(key, Optional.ofNullable(seen.get(key)), value));
        }
        for (CompletionStage<Written<String>> write : writes) {
            check(write);
        }
    }

    private static void check(CompletionStage<Written<String>> write) throws Exception {
        Written<String> result = write.toCompletableFuture().get(BenchmarkMember.CONNECT_SECONDS, TimeUnit.SECONDS);
        if (!(result instanceof Written.Done)) {
            throw new IOException("a write has had the result " + result);
        }
    }
}
