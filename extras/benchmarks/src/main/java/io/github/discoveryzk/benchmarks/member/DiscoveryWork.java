// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.benchmarks.member;

import io.github.discoveryzk.base.DiscoveryInstance;
import io.github.discoveryzk.base.environment.Time;
import io.github.discoveryzk.data.DataKind;
import io.github.discoveryzk.data.SharedMap;
import io.github.discoveryzk.spi.ThreadsAndClocks;
import io.github.discoveryzk.work.Ownership;
import io.github.discoveryzk.work.Worker;
import io.github.discoveryzk.work.place.Work;
import io.github.discoveryzk.work.rules.Assignment;
import io.github.discoveryzk.work.rules.Assignor;
import io.github.discoveryzk.work.rules.Participant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** The keys that an instance of this project handles. A class of its own, because another build may not have them. */
@ThreadsAndClocks
final class DiscoveryWork implements Worker {

    private static final String SCOPE = "discovery.work";
    private static final int DECISIONS = 50;

    private final String id;
    private final DiscoveryInstance instance;
    private final Recorder recorder;
    private final Work work;

    DiscoveryWork(String id, DiscoveryInstance instance, Recorder recorder) {
        this.id = id;
        this.instance = instance;
        this.recorder = recorder;
        work = new Work(instance.local(), instance.data(), Time.SYSTEM, () -> 0);
        work.add(
                this,
                () -> "the worker of " + id,
                "benchmark",
                IntStream.range(0, Recorder.KEYS).mapToObj(i -> "key-" + i).toList());
    }

    @Override
    public void begin(Ownership key) {
        recorder.begun(id);
    }

    @Override
    public void end(Ownership key) {
        recorder.ended(id);
    }

    void close() throws Exception {
        work.close().get(BenchmarkMember.CONNECT_SECONDS, TimeUnit.SECONDS);
    }

    /** Decides what happens to the keys if the participant with the last entry goes. */
    WorkRecord decide() {
        Map<String, Map<String, String>> stored = instance.data()
                .value(SCOPE, "assignments", Assignment.KIND)
                .get()
                .orElseThrow()
                .value();
        SharedMap<Map<String, Map<String, String>>> entries =
                instance.data().map(SCOPE, "participants", DataKind.mapOf(DataKind.mapOf(DataKind.TEXT)));
        List<Participant> participants = new ArrayList<>();
        entries.entries().forEach((entry, found) -> Participant.read(entry, found.writer(), found.value())
                .ifPresent(participants::add));
        participants.remove(participants.size() - 1);
        double[] millis = IntStream.range(0, DECISIONS)
                .mapToDouble(any -> {
                    long start = System.nanoTime();
                    Assignment record = Assignment.decoded(stored);
                    Assignor.assign(record, participants, true, 0).encoded();
                    return (System.nanoTime() - start) / 1e6;
                })
                .sorted()
                .toArray();
        return new WorkRecord(bytes(stored), millis[DECISIONS / 2]);
    }

    /** Returns the length as JSON, with quotes, colons and commas. */
    private static int bytes(Map<String, Map<String, String>> value) {
        return value.entrySet().stream()
                .mapToInt(set -> set.getKey().length()
                        + 6
                        + set.getValue().entrySet().stream()
                                .mapToInt(each ->
                                        each.getKey().length() + each.getValue().length() + 6)
                                .sum())
                .sum();
    }
}
