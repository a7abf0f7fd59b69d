// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos.recorder;

import io.github.discoveryzk.data.DataKind;
import io.github.discoveryzk.data.Fence;
import io.github.discoveryzk.data.SharedData;
import io.github.discoveryzk.data.SharedMap;
import io.github.discoveryzk.data.SharedValue;
import io.github.discoveryzk.data.Versioned;
import io.github.discoveryzk.data.Written;
import io.github.discoveryzk.it.chaos.recorder.Entry.Answered;
import io.github.discoveryzk.it.chaos.recorder.Entry.Attempted;
import io.github.discoveryzk.it.chaos.recorder.Entry.Shown;
import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.leader.ViewNumber;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.sling.discovery.DiscoveryService;
import org.apache.sling.discovery.TopologyView;

/** Writes shared data and records each attempt, its result, and what is shown. For one thread. */
final class DataRecorder {

    /** In so many steps each place is written once. */
    private static final int STEPS = 40;

    private static final String SCOPE = "chaos";

    private final String process;
    private final RecordingFile file;
    private final Map<String, CompletionStage<?>> pending = new HashMap<>();
    private Optional<LeaderLease> lease = Optional.empty();
    private int step;
    private long now;
    private long view;

    DataRecorder(String process, RecordingFile file) {
        this.process = process;
        this.file = file;
    }

    /** Shows and writes what is due, unless the last write of a place has no result yet. */
    void step(SharedData data, DiscoveryService service) {
        step++;
        now = System.nanoTime();
        TopologyView topology = service.getTopology();
        view = ViewNumber.of(topology).orElse(0);
        // A leadership of the past stays: the store decides, and in a change it has to do so often.
        lease = LeaderLease.of(topology).or(() -> lease);
        if (lease.isPresent() && (step % STEPS == 0 || !topology.isCurrent())) {
            replace(data, "progress", lease.get().token(), lease.get());
        }
        if (step % STEPS == 0) {
            replace(data, "register", 0);
            append(data.value(SCOPE, Entry.LIST, DataKind.listOf(DataKind.TEXT)));
            writeEntry(data.map(SCOPE, "set", DataKind.TEXT), step / STEPS);
            claim(data.map(SCOPE, "claims", DataKind.TEXT));
        }
    }

    private void replace(SharedData data, String place, long token, Fence... fences) {
        SharedValue<String> value = data.value(SCOPE, place, DataKind.TEXT);
        Optional<Versioned<String>> seen = show(place, value.get());
        write(place, place, version(seen), token, text -> value.replace(seen, text, fences));
    }

    private void append(SharedValue<List<String>> list) {
        show(Entry.LIST, list.get());
        write(
                Entry.LIST,
                Entry.LIST,
                Entry.NEVER,
                0,
                text -> list.update(before -> {
                    List<String> all = new ArrayList<>(before.orElse(List.of()));
                    all.add(text);
                    return all.subList(Math.max(0, all.size() - Entry.LENGTH), all.size());
                }));
    }

    /** Writes one of two entries, or removes it. */
    private void writeEntry(SharedMap<String> set, int turn) {
        String key = "set" + turn % 2;
        Optional<Versioned<String>> seen =
                show(key, Optional.ofNullable(set.entries().get(key)));
        if (seen.isPresent() && turn % 4 < 2) {
            write(key, Entry.REMOVAL, version(seen), 0, text -> set.remove(key, seen.get()));
        } else {
            write(key, key, version(seen), 0, text -> set.replace(key, seen, text));
        }
    }

    private void claim(SharedMap<String> claims) {
        claims.entries().forEach((key, entry) -> show(Entry.CLAIMS + key, Optional.of(entry)));
        write(Entry.CLAIMS + process, "claim", Entry.NEVER, 0, text -> claims.own(process, text));
    }

    private static long version(Optional<? extends Versioned<?>> seen) {
        return seen.isPresent() ? seen.get().version() : 0;
    }

    private <T> Optional<Versioned<T>> show(String place, Optional<Versioned<T>> shown) {
        shown.ifPresent(each -> {
            List<?> texts = each.value() instanceof List<?> list ? list : List.of(each.value());
            file.add(new Shown(
                    process,
                    now,
                    view,
                    place,
                    texts.stream().map(String::valueOf).toList(),
                    each.version()));
        });
        return shown;
    }

    private <T> void write(
            String place, String what, long seen, long token, Function<String, CompletionStage<Written<T>>> request) {
        CompletionStage<?> last = pending.get(place);
        if (last == null || last.toCompletableFuture().isDone()) {
            String text = what + "-" + process + "-" + step;
            file.add(new Attempted(process, now, place, text, seen, token));
            CompletionStage<Written<T>> written = request.apply(text);
            pending.put(place, written.thenAccept(result -> {
                long version = result instanceof Written.Done<T> done ? version(done.now()) : 0;
                file.add(new Answered(
                        process, System.nanoTime(), text, result.getClass().getSimpleName(), version));
            }));
        }
    }
}
