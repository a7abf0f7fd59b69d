// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.properties;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.sling.discovery.PropertyProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One property provider and its last values. The provider is called on the executor, one call at a time, so that a hanging or
 * failing provider affects its own properties only.
 */
public final class PropertySource {

    /** Higher ranking first, then lower service id: the order of the OSGi service registry. */
    static final Comparator<PropertySource> PRECEDENCE = Comparator.<PropertySource>comparingInt(
                    each -> each.accepted.registration().ranking())
            .reversed()
            .thenComparingLong(each -> each.accepted.registration().serviceId());

    private static final Logger LOG = LoggerFactory.getLogger(PropertySource.class);

    private final PropertyProvider provider;
    private final Executor executor;
    private final LongSupplier clock;
    private final Runnable changed;

    private boolean asking;
    private boolean askAgain;
    private volatile boolean closed;
    private volatile Accepted accepted;

    /** Whether ranking or names may have changed, so that even an equal answer must be merged. */
    private final AtomicBoolean registered = new AtomicBoolean();

    private volatile Answer last = new Answer(Map.of(), List.of());
    private volatile long askedAt = Long.MAX_VALUE;
    private final CompletableFuture<Void> firstAnswer = new CompletableFuture<>();

    PropertySource(Registration registration, Executor executor, LongSupplier clock, Runnable changed) {
        this.provider = registration.provider();
        this.executor = executor;
        this.clock = clock;
        this.changed = changed;
        register(registration);
    }

    /** One object may be registered several times. */
    boolean isFor(PropertyProvider other, long serviceId) {
        return provider == other && accepted.registration().serviceId() == serviceId;
    }

    /** Sets the first or a changed registration; to be followed by {@link #refresh}. */
    void register(Registration registration) {
        PropertyNames names = PropertyNames.of(registration.names(), registration.name());
        names.problems().forEach(each -> LOG.warn("{}", each));
        accepted = new Accepted(registration, names);
        registered.set(true);
    }

    /** Returns the last values of the names that the provider offers now. */
    Map<String, String> values() {
        List<String> offered = accepted.names().legal();
        return last.values().entrySet().stream()
                .filter(entry -> offered.contains(entry.getKey()))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Completes when the provider has answered once. */
    CompletableFuture<Void> firstAnswer() {
        return firstAnswer;
    }

    List<String> problems(long hangsAfterMillis) {
        List<String> all = new ArrayList<>(accepted.names().problems());
        all.addAll(last.failures());
        long since = askedAt;
        long busy = since == Long.MAX_VALUE ? 0 : clock.getAsLong() - since;
        if (busy > hangsAfterMillis) {
            // Without the elapsed time: a sentence that changes each second would change the report each second.
            all.add(accepted.registration().name() + " has not answered for more than " + hangsAfterMillis / 1000
                    + " s; its last known properties stay in use");
        }
        return all;
    }

    /** Calls the provider again. */
    synchronized void refresh() {
        askAgain = true;
        if (!asking && !closed) {
            try {
                executor.execute(this::ask);
                asking = true;
            } catch (RuntimeException | OutOfMemoryError e) {
                LOG.error("{} cannot be called now", accepted.registration().name(), e);
            }
        }
    }

    synchronized void close() {
        closed = true;
        firstAnswer.complete(null);
    }

    private void ask() {
        while (wanted()) {
            askedAt = clock.getAsLong();
            Map<String, String> answer = new TreeMap<>();
            List<String> complaints = new ArrayList<>();
            accepted.names().legal().forEach(property -> ask(property, answer, complaints));
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
        } catch (Throwable e) { // An Error of one provider must not remove the properties of the others.
            String name = accepted.registration().name();
            complaints.add(name + " failed for property " + property + ": " + e + "; the property is omitted");
            LOG.debug("{} failed for property {}", name, property, e);
        }
    }

    private void remember(Map<String, String> answer, List<String> complaints) {
        if (closed) {
            // What the provider needs may have gone with its registration.
            return;
        }
        complaints.stream().filter(each -> !last.failures().contains(each)).forEach(each -> LOG.warn("{}", each));
        boolean different = registered.getAndSet(false) || !last.values().equals(answer);
        last = new Answer(Map.copyOf(answer), List.copyOf(complaints));
        if (different) {
            changed.run();
        }
    }

    /**
     * The registration of a property provider.
     *
     * @param provider the provider
     * @param name its display name
     * @param ranking the higher one takes precedence
     * @param serviceId the lower one takes precedence among equal rankings
     * @param names the value of {@link PropertyProvider#PROPERTY_PROPERTIES}
     */
    public record Registration(PropertyProvider provider, String name, int ranking, long serviceId, Object names) {}

    /** What the provider has returned when it was last called. */
    private record Answer(Map<String, String> values, List<String> failures) {}

    /** A registration and the names read from it. */
    private record Accepted(Registration registration, PropertyNames names) {}
}
