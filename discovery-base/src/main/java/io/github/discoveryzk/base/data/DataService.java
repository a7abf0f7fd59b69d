// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.data;

import io.github.discoveryzk.data.DataKind;
import io.github.discoveryzk.data.SharedData;
import io.github.discoveryzk.data.SharedMap;
import io.github.discoveryzk.data.SharedValue;
import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.report.AddedSection;
import io.github.discoveryzk.report.Metric;
import io.github.discoveryzk.spi.DataStore;
import io.github.discoveryzk.spi.Outcome;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** The shared data of one instance: what is open, within its limits. Thread-safe. */
public final class DataService implements SharedData {

    /** So much is little beside what an instance keeps of its cluster, and 500 reads after a connect take less than a second. */
    private static final int NAMES = 500;

    private static final int OPENED_BYTES = 4 * 1024 * 1024;

    private final String instanceId;
    private final DataStore store;
    private final Executor calls;
    private final Consumer<String> counter;
    private final Map<DataAddress, Copy<?>> opened = new HashMap<>();
    private long openedBytes;
    private volatile Members members = Members.NONE;

    /** @param counter is called with the outcome of each write that the store has replied to */
    public DataService(String instanceId, DataStore store, Executor calls, Consumer<String> counter) {
        this.instanceId = instanceId;
        this.store = store;
        this.calls = calls;
        this.counter = counter;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> SharedValue<T> value(String scope, String name, DataKind<T> kind) {
        DataAddress address = new DataAddress(scope, name, false);
        return (OpenValue<T>) open(new OpenValue<>(address, kind, this));
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> SharedMap<T> map(String scope, String name, DataKind<T> kind) {
        DataAddress address = new DataAddress(scope, name, true);
        return (OpenMap<T>) open(new OpenMap<>(address, kind, this));
    }

    private Copy<?> open(Copy<?> fresh) {
        synchronized (opened) {
            Copy<?> known = opened.get(fresh.address);
            if (known == null && opened.size() >= NAMES) {
                throw new IllegalStateException("The " + fresh.address + " cannot be opened: this instance has opened "
                        + NAMES + " names, which is the most.");
            } else if (known == null) {
                opened.put(fresh.address, fresh);
                store.follow(fresh.address, fresh);
                return fresh;
            } else if (!known.kind.name().equals(fresh.kind.name())) {
                throw new IllegalArgumentException("The " + fresh.address + " is open as a " + known.kind
                        + " and cannot be opened as a " + fresh.kind + ".");
            }
            return known;
        }
    }

    /** Records that a copy grows or shrinks; returns false if there would be too much in this instance. */
    boolean grow(int bytes) {
        synchronized (opened) {
            boolean possible = bytes <= 0 || openedBytes + bytes <= OPENED_BYTES;
            openedBytes += possible ? bytes : 0;
            return possible;
        }
    }

    /** Records the members. Called on the engine's thread, after each snapshot. */
    public void observe(Optional<Member> self, StoreSnapshot seen) {
        Members next = Members.of(self, seen);
        if (!next.equals(members)) {
            members = next;
            copies().forEach(Copy::observeMembers);
        }
    }

    List<Copy<?>> copies() {
        synchronized (opened) {
            return opened.values().stream()
                    .sorted(Comparator.comparing(each -> each.address.toString()))
                    .toList();
        }
    }

    /** Returns what shows the data that is open. */
    public AddedSection section() {
        return new DataSection(this);
    }

    /** Returns how much is open. */
    public List<Metric> metrics() {
        List<Copy<?>> all = copies();
        int entries = all.stream().mapToInt(each -> each.entries().size()).sum();
        int bytes = all.stream().mapToInt(Copy::bytes).sum();
        return List.of(
                Metric.gauge("shared_names", "values and maps that bundles have opened", all.size()),
                Metric.gauge("shared_entries", "values, and entries of maps, that are there", entries),
                Metric.gauge("shared_bytes", "size of what is there", bytes));
    }

    void count(Outcome outcome) {
        counter.accept(outcome.status().name());
    }

    String instanceId() {
        return instanceId;
    }

    Members members() {
        return members;
    }

    Executor calls() {
        return calls;
    }

    CompletionStage<Optional<DataStore.Stored>> read(DataAddress address, String key) {
        return store.read(address, key);
    }

    CompletionStage<DataStore.Result> write(DataStore.Write write) {
        return store.write(write);
    }
}
