// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;
import org.osgi.util.tracker.ServiceTrackerCustomizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The name and the description of this instance: from Sling's settings service if there is one, else from the framework
 * properties {@value #NAME} and {@value #DESCRIPTION}. A source that gives nothing or blanks only is passed over, and so is a
 * text that the service makes of its id.
 */
final class ConfiguredNames implements ServiceTrackerCustomizer<Object, Object>, AutoCloseable {

    static final String NAME = "sling.name";
    static final String DESCRIPTION = "sling.description";

    private static final Logger LOG = LoggerFactory.getLogger(ConfiguredNames.class);

    private final BundleContext context;
    private final Runnable changed;
    private final ServiceTracker<Object, Object> tracker;

    /** The services, the one to use last. The tracker itself has a service only after it has announced it. */
    private final NavigableMap<ServiceReference<Object>, Object> services = new ConcurrentSkipListMap<>();

    /**
     * Creates a source of names that is not open yet.
     *
     * @param changed called when a name may have changed, by any thread
     */
    ConfiguredNames(BundleContext context, Runnable changed) {
        this.context = context;
        this.changed = changed;
        this.tracker = new ServiceTracker<>(context, SlingSettings.SERVICE, this);
    }

    void open() {
        tracker.open();
    }

    Optional<String> name() {
        return first("getSlingName", "Instance ", NAME);
    }

    Optional<String> description() {
        return first("getSlingDescription", "Instance with id ", DESCRIPTION);
    }

    /**
     * Asks one source after the other.
     *
     * @param made how the settings service begins a text that it makes of its id because none is configured
     */
    private Optional<String> first(String method, String made, String key) {
        Optional<String> unset = ask("getSlingId").map(made::concat);
        return Stream.<Optional<String>>of(
                        ask(method)
                                .filter(text -> unset.filter(text::startsWith).isEmpty()),
                        Optional.ofNullable(context.getProperty(key)))
                .flatMap(Optional::stream)
                .filter(text -> !text.isBlank())
                .findFirst();
    }

    private Optional<String> ask(String method) {
        Map.Entry<?, Object> service = services.lastEntry();
        if (service == null) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(SlingSettings.get(service.getValue(), method));
        } catch (ReflectiveOperationException | RuntimeException e) {
            // The method is asked for again with each refresh of the properties.
            LOG.debug("{} does not answer {}", SlingSettings.SERVICE, method, e);
            return Optional.empty();
        }
    }

    @Override
    public Object addingService(ServiceReference<Object> reference) {
        Object service = context.getService(reference);
        if (service != null) {
            services.put(reference, service);
            changed.run();
        }
        return service;
    }

    @Override
    public void modifiedService(ServiceReference<Object> reference, Object service) {
        changed.run();
    }

    @Override
    public void removedService(ServiceReference<Object> reference, Object service) {
        services.remove(reference);
        changed.run();
        context.ungetService(reference);
    }

    @Override
    public void close() {
        tracker.close();
    }
}
