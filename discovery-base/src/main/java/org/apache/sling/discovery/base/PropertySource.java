// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.sling.discovery.PropertyProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One property provider and the values it gave last. The provider is asked on the executor, one question at a time, so that one
 * that hangs or fails costs nobody anything but its own properties.
 */
final class PropertySource {

    /** Higher ranking first, then lower service id: the order of the OSGi service registry. */
    static final Comparator<PropertySource> PRECEDENCE = Comparator.<PropertySource>comparingInt(each -> each.ranking)
            .reversed()
            .thenComparingLong(each -> each.serviceId);

    private static final Logger LOG = LoggerFactory.getLogger(PropertySource.class);

    private final PropertyProvider provider;
    private final String name;
    private final int ranking;
    private final long serviceId;
    private final PropertyNames names;
    private final Executor executor;
    private final LongSupplier clock;
    private final Runnable changed;

    private boolean asking;
    private boolean askAgain;
    private boolean closed;
    private volatile Map<String, String> values = Map.of();
    private volatile List<String> problems;
    private volatile long askedAt = Long.MAX_VALUE;
    private final CompletableFuture<Void> firstAnswer = new CompletableFuture<>();

    PropertySource(Registration registration, Executor executor, LongSupplier clock, Runnable changed) {
        this.provider = registration.provider();
        this.name = registration.name();
        this.ranking = registration.ranking();
        this.serviceId = registration.serviceId();
        this.names = PropertyNames.of(registration.names(), name);
        this.problems = names.problems();
        this.executor = executor;
        this.clock = clock;
        this.changed = changed;
    }

    boolean isFor(PropertyProvider other) {
        return provider == other;
    }

    Map<String, String> values() {
        return values;
    }

    /** Starts with what an earlier registration of the provider gave, as far as it is still offered. */
    void inherit(PropertySource earlier) {
        values = earlier.values.entrySet().stream()
                .filter(entry -> names.legal().contains(entry.getKey()))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Completes when the provider has been asked once. */
    CompletableFuture<Void> firstAnswer() {
        return firstAnswer;
    }

    List<String> problems(long hangsAfterMillis) {
        List<String> all = new ArrayList<>(problems);
        long busy = clock.getAsLong() - askedAt;
        if (askedAt != Long.MAX_VALUE && busy > hangsAfterMillis) {
            all.add(name + " has not answered for " + busy / 1000 + " s; its last known properties stay in use");
        }
        return all;
    }

    /** Has the provider asked again. */
    synchronized void refresh() {
        askAgain = true;
        if (!asking && !closed) {
            asking = true;
            executor.execute(this::ask);
        }
    }

    synchronized void close() {
        closed = true;
    }

    private void ask() {
        while (wanted()) {
            askedAt = clock.getAsLong();
            Map<String, String> answer = new TreeMap<>();
            List<String> complaints = new ArrayList<>(names.problems());
            names.legal().forEach(property -> ask(property, answer, complaints));
            askedAt = Long.MAX_VALUE;
            remember(answer, complaints);
            firstAnswer.complete(null);
        }
    }

    private synchronized boolean wanted() {
        asking = askAgain && !closed;
        askAgain = false;
        return asking;
    }

    private void ask(String property, Map<String, String> answer, List<String> complaints) {
        try {
            String value = provider.getProperty(property);
            if (value != null) {
                answer.put(property, value);
            }
        } catch (Throwable e) { // An Error of one provider must not take the properties of the others away.
            complaints.add(name + " failed for property " + property + ": " + e + "; the property is left out");
            LOG.debug("{} failed for property {}", name, property, e);
        }
    }

    private void remember(Map<String, String> answer, List<String> complaints) {
        complaints.stream().filter(each -> !problems.contains(each)).forEach(each -> LOG.warn("{}", each));
        boolean different = !values.equals(answer) || !problems.equals(complaints);
        values = Map.copyOf(answer);
        problems = List.copyOf(complaints);
        if (different) {
            changed.run();
        }
    }

    /**
     * A property provider as it was registered.
     *
     * @param provider the provider
     * @param name its name for people
     * @param ranking the higher, the more it counts
     * @param serviceId the lower, the more it counts among equal rankings
     * @param names the value of {@link PropertyProvider#PROPERTY_PROPERTIES}
     */
    record Registration(PropertyProvider provider, String name, int ranking, long serviceId, Object names) {}
}
