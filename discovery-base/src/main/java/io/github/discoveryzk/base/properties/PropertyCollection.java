// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.properties;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.sling.discovery.PropertyProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The properties of this instance, merged from all providers. Properties beyond {@link #LIMIT_BYTES} or {@link #LIMIT_COUNT} are omitted
 * and reported. Methods may be called from any thread.
 */
public final class PropertyCollection {

    /** Keeps the member node well below the 1 MB that a store accepts in one packet. */
    static final int LIMIT_BYTES = 400 * 1024;

    /** Each instance keeps, and each page shows, the properties of all. */
    static final int LIMIT_COUNT = 1_000;

    private static final int SHOWN = 5;

    private static final Logger LOG = LoggerFactory.getLogger(PropertyCollection.class);
    private static final long HANGS_AFTER_MILLIS = 5_000;

    private final List<PropertySource> sources = new CopyOnWriteArrayList<>();
    private final Executor executor;
    private final LongSupplier clock;
    private final Consumer<Map<String, String>> changed;
    private volatile List<String> oversized = List.of();
    private volatile int usedBytes;
    private long intervalMillis;
    private boolean closed;
    private Optional<ScheduledFuture<?>> next = Optional.empty();

    /**
     * Makes an empty collection.
     *
     * @param executor calls the providers; a hanging provider keeps its thread
     * @param clock monotonic milliseconds
     * @param changed receives all properties whenever a provider was added, was removed or returned other values
     */
    public PropertyCollection(Executor executor, LongSupplier clock, Consumer<Map<String, String>> changed) {
        this.executor = executor;
        this.clock = clock;
        this.changed = changed;
    }

    /** Adds a provider or, if it was added already, updates its registration. */
    public synchronized void add(PropertySource.Registration registration) {
        if (!closed) {
            source(registration).refresh();
        }
    }

    private PropertySource source(PropertySource.Registration registration) {
        Optional<PropertySource> known = sources.stream()
                .filter(each -> each.isFor(registration.provider(), registration.serviceId()))
                .findFirst();
        known.ifPresent(source -> source.register(registration));
        return known.orElseGet(() -> {
            PropertySource source = new PropertySource(registration, executor, clock, this::merge);
            sources.add(source);
            return source;
        });
    }

    /** Removes what a provider registered with this service id, and its properties immediately. */
    public void remove(PropertyProvider provider, long serviceId) {
        synchronized (this) {
            sources.stream().filter(each -> each.isFor(provider, serviceId)).forEach(PropertySource::close);
            sources.removeIf(each -> each.isFor(provider, serviceId));
        }
        merge();
    }

    /** Calls all providers again. */
    public void refresh() {
        sources.forEach(PropertySource::refresh);
    }

    /** Calls all providers again after each interval of that many milliseconds, from now on; 0 for never, which is the initial setting. */
    public synchronized void refreshEvery(long millis, ScheduledExecutorService timer) {
        next.ifPresent(future -> future.cancel(false));
        intervalMillis = millis;
        next = millis <= 0
                ? Optional.empty()
                : Optional.of(timer.schedule(() -> refreshNext(timer), millis, TimeUnit.MILLISECONDS));
    }

    private synchronized void refreshNext(ScheduledExecutorService timer) {
        // Cancelling may come too late.
        if (intervalMillis > 0 && !closed) {
            refresh();
            refreshEvery(intervalMillis, timer);
        }
    }

    /** Calls no provider from now on: threads for calls may end. */
    public synchronized void close() {
        closed = true;
        next.ifPresent(future -> future.cancel(false));
        sources.forEach(PropertySource::close);
    }

    /** Completes when each present provider has answered once. */
    public CompletableFuture<Void> firstAnswers() {
        return CompletableFuture.allOf(
                sources.stream().map(PropertySource::firstAnswer).toArray(CompletableFuture[]::new));
    }

    /** Returns how many bytes the names and values take, in UTF-8. */
    public int usedBytes() {
        return usedBytes;
    }

    /** Returns sentences about properties that are omitted because they do not fit. */
    public List<String> oversized() {
        return oversized;
    }

    /** Returns sentences about providers that fail or hang, and about names that are not legal. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        sources.forEach(source -> problems.addAll(source.problems(HANGS_AFTER_MILLIS)));
        return problems;
    }

    private synchronized void merge() {
        Map<String, String> merged = new TreeMap<>();
        sources.stream().sorted(PropertySource.PRECEDENCE).forEach(source -> source.values()
                .forEach(merged::putIfAbsent));
        changed.accept(fitting(merged));
    }

    private Map<String, String> fitting(Map<String, String> merged) {
        Map<String, String> fitting = new HashMap<>();
        List<String> omitted = new ArrayList<>();
        int bytes = 0;
        for (Map.Entry<String, String> entry : merged.entrySet()) {
            int size = bytes(entry.getKey()) + bytes(entry.getValue());
            if (bytes + size <= LIMIT_BYTES && fitting.size() < LIMIT_COUNT) {
                fitting.put(entry.getKey(), entry.getValue());
                bytes += size;
            } else {
                omitted.add(entry.getKey() + " (" + size + " bytes)");
            }
        }
        usedBytes = bytes;
        List<String> before = oversized;
        oversized = omitted.isEmpty() ? List.of() : List.of(sentence(omitted, merged.size()));
        oversized.stream().filter(each -> !before.contains(each)).forEach(LOG::warn);
        return fitting;
    }

    private static String sentence(List<String> omitted, int all) {
        String more = omitted.size() > SHOWN ? " and " + (omitted.size() - SHOWN) + " more" : "";
        return omitted.size() + " of " + all + " properties of this instance are omitted: "
                + omitted.stream().limit(SHOWN).collect(Collectors.joining(", ")) + more
                + ". The names and values of an instance may take " + LIMIT_BYTES + " bytes in total, and there may be "
                + LIMIT_COUNT + " of them. Have the property providers of this instance offer less.";
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
