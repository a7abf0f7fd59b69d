// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import io.github.discoveryzk.base.environment.InstanceIdentity;
import java.util.Arrays;
import java.util.Collection;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
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
 * service answers; the id of its repository, if Oak gives one; and the version of this bundle. Name and description are from Sling's settings service if there is
 * one, else from the framework properties {@value #NAME} and {@value #DESCRIPTION}. A source that gives nothing or blanks only is passed over, and so is a text that the
 * service makes of its id.
 */
@Component(
        service = {},
        immediate = true)
public final class StandardProperties implements PropertyProvider, ServiceTrackerCustomizer<Object, Object> {

    static final String NAME = "sling.name";
    static final String DESCRIPTION = "sling.description";

    /** Oak's descriptor with the id of a repository, which the members of its cluster share; the property has the same name. */
    static final String REPOSITORY = "oak.clusterid";

    /** The property with the version of this bundle, which shows how far an upgrade is. */
    static final String VERSION = "io.github.discoveryzk.version";

    // By name, because the available type depends on the HTTP service: none of these packages may be required.
    private static final String SERVICES = "(|(objectClass=" + UnimportedService.SETTINGS + ")"
            + "(objectClass=" + UnimportedService.REPOSITORY + ")"
            + "(objectClass=org.osgi.service.servlet.runtime.HttpServiceRuntime)"
            + "(objectClass=org.osgi.service.http.runtime.HttpServiceRuntime)"
            + "(objectClass=org.osgi.service.http.HttpService))";
    private static final String[] ASKED = {UnimportedService.SETTINGS, UnimportedService.REPOSITORY};
    private static final String[] ENDPOINT_PROPERTIES = {"osgi.http.endpoint", "osgi.http.service.endpoints"};
    /** What a server that listens on all interfaces calls itself; others cannot use that. */
    private static final Pattern ALL_INTERFACES = Pattern.compile("//(0\\.0\\.0\\.0|\\[::])(?=[:/?#]|$)");

    private static final String[] NAMES = {
        InstanceDescription.PROPERTY_NAME,
        InstanceDescription.PROPERTY_DESCRIPTION,
        InstanceDescription.PROPERTY_ENDPOINTS,
        REPOSITORY,
        VERSION
    };

    private final BundleContext context;

    /**
     * The services that are asked, of each type the one to use last, and the references of HTTP services, whose objects are never asked
     * for. The tracker itself has a service only after it has announced it.
     */
    private final NavigableMap<ServiceReference<Object>, Object> services = new ConcurrentSkipListMap<>();

    private final AtomicLong changes = new AtomicLong();
    private final ServiceTracker<Object, Object> tracker;
    private final ServiceRegistration<PropertyProvider> registration;

    @Activate
    public StandardProperties(BundleContext context) throws InvalidSyntaxException {
        this.context = context;
        this.tracker = new ServiceTracker<>(context, FrameworkUtil.createFilter(SERVICES), this);
        this.registration = context.registerService(PropertyProvider.class, this, properties());
        tracker.open();
    }

    @Deactivate
    void deactivate() {
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
            case InstanceDescription.PROPERTY_NAME -> configured("getSlingName", "Instance ", NAME);
            case InstanceDescription.PROPERTY_DESCRIPTION -> configured(
                    "getSlingDescription", "Instance with id ", DESCRIPTION);
            case InstanceDescription.PROPERTY_ENDPOINTS -> endpoints();
            case REPOSITORY -> ask(UnimportedService.REPOSITORY, "getDescriptor", REPOSITORY)
                    .orElse(null);
            case VERSION -> context.getBundle().getVersion().toString();
            default -> null;
        };
    }

    /**
     * Asks one source after the other.
     *
     * @param made how the settings service begins a text that it makes of its id because none is configured
     */
    private String configured(String method, String made, String key) {
        Optional<String> unset = ask(UnimportedService.SETTINGS, "getSlingId").map(made::concat);
        return Stream.of(
                        ask(UnimportedService.SETTINGS, method)
                                .filter(text -> unset.filter(text::startsWith).isEmpty()),
                        Optional.ofNullable(context.getProperty(key)))
                .flatMap(Optional::stream)
                .filter(text -> !text.isBlank())
                .findFirst()
                .orElse(null);
    }

    private Optional<String> ask(String type, String method, String... arguments) {
        return services.descendingMap().entrySet().stream()
                .filter(each -> UnimportedService.isOffered(each.getKey(), type))
                .findFirst()
                .flatMap(each -> UnimportedService.get(each.getKey(), each.getValue(), type, method, arguments));
    }

    private String endpoints() {
        String all = services.keySet().stream()
                .flatMap(each -> Stream.of(ENDPOINT_PROPERTIES).map(each::getProperty))
                .flatMap(StandardProperties::texts)
                .flatMap(each -> Stream.of(each.split(",")))
                .map(each -> ALL_INTERFACES.matcher(each).replaceFirst("//" + InstanceIdentity.host()))
                .filter(each -> !each.isEmpty() && !each.contains(" "))
                .distinct()
                .sorted()
                .collect(Collectors.joining(","));
        return all.isEmpty() ? null : all;
    }

    @Override
    public Object addingService(ServiceReference<Object> reference) {
        Object service = UnimportedService.isOffered(reference, ASKED) ? context.getService(reference) : reference;
        if (service != null) {
            services.put(reference, service);
            announceChange();
        }
        return service;
    }

    @Override
    public void modifiedService(ServiceReference<Object> reference, Object service) {
        announceChange();
    }

    @Override
    public void removedService(ServiceReference<Object> reference, Object service) {
        services.remove(reference);
        announceChange();
        if (UnimportedService.isOffered(reference, ASKED)) {
            context.ungetService(reference);
        }
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
