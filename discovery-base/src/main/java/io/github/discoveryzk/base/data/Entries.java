// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.data;

import io.github.discoveryzk.data.DataKind;
import io.github.discoveryzk.data.Versioned;
import io.github.discoveryzk.model.DataAddress;
import io.github.discoveryzk.model.DataRecord;
import io.github.discoveryzk.spi.DataStore.Stored;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/** What is at an address, decoded. Confined to the tasks of a {@link Copy}. */
final class Entries<T> {

    private final DataAddress address;
    private final DataKind<T> kind;
    private final IntPredicate grow;
    private Map<String, Entry<T>> all = new TreeMap<>();
    private volatile int bytes;
    private boolean full;

    /** @param grow records that so many bytes more are kept; false if that would be too many */
    Entries(DataAddress address, DataKind<T> kind, IntPredicate grow) {
        this.address = address;
        this.kind = kind;
        this.grow = grow;
    }

    /** An entry; without a value, or with that of before, if it cannot be used. */
    record Entry<T>(long version, Optional<Versioned<T>> value, Optional<String> owner, int bytes, String problem) {

        boolean isThere(Set<String> live) {
            return owner.isEmpty() || live.contains(owner.get());
        }
    }

    /** Takes over what the store has. What is known of it already is not decoded again. */
    void replace(Map<String, Stored> stored) {
        Map<String, Entry<T>> next = new TreeMap<>();
        stored.forEach((key, each) -> next.put(key, entry(key, each)));
        if (resize(next.values().stream().mapToInt(Entry::bytes).sum())) {
            all = next;
        }
    }

    /** Takes over what the store has in one place. Returns whether that was not known. */
    boolean replace(String key, Optional<Stored> stored) {
        Optional<Entry<T>> before = get(key);
        Optional<Entry<T>> next = stored.map(each -> entry(key, each));
        if (next.equals(before)) {
            return false;
        }
        int added = next.map(Entry::bytes).orElse(0) - before.map(Entry::bytes).orElse(0);
        if (resize(bytes + added)) {
            next.ifPresentOrElse(each -> all.put(key, each), () -> all.remove(key));
        }
        return true;
    }

    private boolean resize(int next) {
        full = !grow.test(next - bytes);
        bytes = full ? bytes : next;
        return !full;
    }

    Optional<Entry<T>> get(String key) {
        return Optional.ofNullable(all.get(key));
    }

    /** Returns the values of persistent entries, and of those whose owners are live. */
    Map<String, Versioned<T>> visible(Set<String> live) {
        Map<String, Versioned<T>> visible = new LinkedHashMap<>();
        all.forEach((key, entry) ->
                entry.value().filter(value -> entry.isThere(live)).ifPresent(value -> visible.put(key, value)));
        return visible;
    }

    /** Returns what cannot be used. */
    Stream<String> problems() {
        Stream<String> unusable = all.values().stream().map(Entry::problem).filter(each -> !each.isEmpty());
        return full
                ? Stream.concat(
                        unusable,
                        Stream.of(
                                "The " + address
                                        + " stays as it was read last: this instance would have more than 4 MB of shared data."))
                : unusable;
    }

    /** Returns about as many bytes as they have in the store. May be called by any thread. */
    int bytes() {
        return bytes;
    }

    /** Decodes an entry unless it is known. What cannot be used leaves the value of before. */
    private Entry<T> entry(String key, Stored stored) {
        Entry<T> before = all.get(key);
        if (before != null && before.version() == stored.version()) {
            return before;
        }
        try {
            DataRecord record = stored.record().get();
            if (!record.kind().equals(kind.name())) {
                throw new IllegalArgumentException("it is a " + record.kind() + ", and is open as a " + kind);
            }
            Versioned<T> value = new Versioned<>(
                    kind.of(record.value()),
                    stored.version(),
                    stored.writtenMillis(),
                    record.writer(),
                    record.token(),
                    record.owner().isPresent());
            return new Entry<>(stored.version(), Optional.of(value), record.owner(), bytesOf(record.value()), "");
        } catch (IllegalArgumentException e) {
            String what = key.isEmpty() ? "The " + address : "The entry " + key + " of the " + address;
            return new Entry<>(
                    stored.version(),
                    Optional.ofNullable(before).flatMap(Entry::value),
                    Optional.empty(),
                    before == null ? 0 : before.bytes(),
                    what + " cannot be used: " + e.getMessage() + ".");
        }
    }

    /** Returns about as many bytes as a value has in the store. */
    static int bytesOf(Object value) {
        if (value instanceof Map<?, ?> map) {
            return bytesOf(map.keySet()) + bytesOf(map.values());
        }
        if (value instanceof Collection<?> many) {
            return many.stream().mapToInt(each -> bytesOf(each) + 1).sum();
        }
        return value instanceof String text ? text.length() + 2 : Long.BYTES;
    }
}
