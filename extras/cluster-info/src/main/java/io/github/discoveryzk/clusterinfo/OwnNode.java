// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.clusterinfo;

import java.util.Arrays;
import java.util.Collection;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.PropertyProvider;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.clusterinfo.ClusterTagPermission;
import org.osgi.util.tracker.ServiceTracker;
import org.osgi.util.tracker.ServiceTrackerCustomizer;

/**
 * What this node says of itself to all members: the framework properties with the names of the specification, and as tags also those of
 * all services with the service property {@value #SERVICE_TAGS}. The objects of these services are never asked for.
 */
final class OwnNode
        implements PropertyProvider, ServiceTrackerCustomizer<Object, ServiceReference<Object>>, AutoCloseable {

    /** The name that section 148.5 of the specification gives: it is not that of the property of the node. */
    static final String SERVICE_TAGS = "org.osgi.service.clusterinfo.tags";

    private static final String[] NAMES = Stream.of(NodeProperties.TEXTS, NodeProperties.LISTS)
            .flatMap(Collection::stream)
            .toArray(String[]::new);

    private final BundleContext context;
    private final Set<ServiceReference<Object>> tagged = ConcurrentHashMap.newKeySet();
    private final AtomicLong changes = new AtomicLong();
    private final ServiceRegistration<PropertyProvider> registration;
    private final ServiceTracker<Object, ServiceReference<Object>> tracker;

    /** Registers the provider, and follows the services with tags. */
    OwnNode(BundleContext context) throws InvalidSyntaxException {
        this.context = context;
        this.registration = context.registerService(PropertyProvider.class, this, properties());
        this.tracker = new ServiceTracker<>(context, FrameworkUtil.createFilter("(" + SERVICE_TAGS + "=*)"), this);
        tracker.open(true);
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
        return name.equals(NodeProperties.TAGS) ? tags() : context.getProperty(name);
    }

    private String tags() {
        String all = Stream.concat(
                        NodeProperties.split(context.getProperty(NodeProperties.TAGS)),
                        tagged.stream().flatMap(OwnNode::tags))
                .distinct()
                .sorted()
                .collect(Collectors.joining(","));
        return all.isEmpty() ? null : all;
    }

    /** A comma separates tags, wherever it stands. */
    private static Stream<String> tags(ServiceReference<Object> reference) {
        return texts(reference.getProperty(SERVICE_TAGS))
                .flatMap(NodeProperties::split)
                .filter(tag -> isAllowed(tag, reference.getBundle()));
    }

    /** A framework without permissions allows all. */
    private static boolean isAllowed(String tag, Bundle bundle) {
        return bundle != null && bundle.hasPermission(new ClusterTagPermission(tag, ClusterTagPermission.ADD));
    }

    private static Stream<String> texts(Object value) {
        Stream<?> all = value instanceof Object[] several
                ? Arrays.stream(several)
                : value instanceof Collection<?> several ? several.stream() : Stream.ofNullable(value);
        return all.map(Objects::toString);
    }

    @Override
    public ServiceReference<Object> addingService(ServiceReference<Object> reference) {
        tagged.add(reference);
        announceChange();
        return reference;
    }

    @Override
    public void modifiedService(ServiceReference<Object> reference, ServiceReference<Object> same) {
        announceChange();
    }

    @Override
    public void removedService(ServiceReference<Object> reference, ServiceReference<Object> same) {
        tagged.remove(reference);
        announceChange();
    }

    private void announceChange() {
        registration.setProperties(properties());
    }

    @Override
    public void close() {
        tracker.close();
        registration.unregister();
    }
}
