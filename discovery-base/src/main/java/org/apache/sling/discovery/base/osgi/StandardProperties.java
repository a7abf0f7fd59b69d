// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import java.util.Arrays;
import java.util.Collection;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.PropertyProvider;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.util.tracker.ServiceTracker;
import org.osgi.util.tracker.ServiceTrackerCustomizer;

/**
 * The three properties that consumers expect of every instance: its name and description, and the addresses at which its HTTP
 * service answers.
 */
@Component(
        service = {},
        immediate = true)
public final class StandardProperties
        implements PropertyProvider, ServiceTrackerCustomizer<Object, ServiceReference<Object>> {

    // By name, because the available type depends on the HTTP service: none of these packages may be required.
    private static final String HTTP_SERVICES = "(|(objectClass=org.osgi.service.servlet.runtime.HttpServiceRuntime)"
            + "(objectClass=org.osgi.service.http.runtime.HttpServiceRuntime)"
            + "(objectClass=org.osgi.service.http.HttpService))";
    private static final String[] ENDPOINT_PROPERTIES = {"osgi.http.endpoint", "osgi.http.service.endpoints"};
    private static final String[] NAMES = {
        InstanceDescription.PROPERTY_NAME,
        InstanceDescription.PROPERTY_DESCRIPTION,
        InstanceDescription.PROPERTY_ENDPOINTS
    };

    private final ConfiguredNames names;
    private final Map<ServiceReference<Object>, String> endpoints = new ConcurrentHashMap<>();
    private final AtomicLong changes = new AtomicLong();
    private final ServiceTracker<Object, ServiceReference<Object>> tracker;
    private final ServiceRegistration<PropertyProvider> registration;

    @Activate
    public StandardProperties(BundleContext context) throws InvalidSyntaxException {
        this.names = new ConfiguredNames(context, this::announceChange);
        this.tracker = new ServiceTracker<>(context, FrameworkUtil.createFilter(HTTP_SERVICES), this);
        this.registration = context.registerService(PropertyProvider.class, this, properties());
        names.open();
        tracker.open();
    }

    @Deactivate
    void deactivate() {
        names.close();
        tracker.close();
        registration.unregister();
    }

    private Dictionary<String, Object> properties() {
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(PROPERTY_PROPERTIES, NAMES);
        // The provider is called again only if its registration changes.
        properties.put("changeCount", changes.incrementAndGet());
        return properties;
    }

    @Override
    public String getProperty(String name) {
        return switch (name) {
            case InstanceDescription.PROPERTY_NAME -> names.name().orElse(null);
            case InstanceDescription.PROPERTY_DESCRIPTION -> names.description().orElse(null);
            case InstanceDescription.PROPERTY_ENDPOINTS -> endpoints();
            default -> null;
        };
    }

    private String endpoints() {
        String all = endpoints.values().stream()
                .flatMap(each -> Stream.of(each.split(",")))
                .filter(each -> !each.isEmpty())
                .distinct()
                .sorted()
                .collect(Collectors.joining(","));
        return all.isEmpty() ? null : all;
    }

    @Override
    public ServiceReference<Object> addingService(ServiceReference<Object> reference) {
        modifiedService(reference, reference);
        return reference;
    }

    @Override
    public void modifiedService(ServiceReference<Object> reference, ServiceReference<Object> same) {
        String now = Stream.of(ENDPOINT_PROPERTIES)
                .flatMap(name -> texts(reference.getProperty(name)))
                .collect(Collectors.joining(","));
        if (!now.equals(endpoints.put(reference, now))) {
            announceChange();
        }
    }

    @Override
    public void removedService(ServiceReference<Object> reference, ServiceReference<Object> same) {
        endpoints.remove(reference);
        announceChange();
    }

    private void announceChange() {
        registration.setProperties(properties());
    }

    private static Stream<String> texts(Object value) {
        if (value instanceof Object[] several) {
            return Arrays.stream(several).map(Objects::toString);
        }
        if (value instanceof Collection<?> several) {
            return several.stream().map(Objects::toString);
        }
        return value == null ? Stream.empty() : Stream.of(value.toString());
    }
}
