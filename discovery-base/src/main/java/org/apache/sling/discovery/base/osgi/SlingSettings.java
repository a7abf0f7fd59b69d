// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls Sling's settings service by reflection, so that this bundle resolves without Sling's settings package. */
final class SlingSettings {

    static final String SERVICE = "org.apache.sling.settings.SlingSettingsService";

    private static final Logger LOG = LoggerFactory.getLogger(SlingSettings.class);

    private SlingSettings() {}

    /** Says whether a service is that service. */
    static boolean isOffered(ServiceReference<?> reference) {
        return Arrays.asList((String[]) reference.getProperty(Constants.OBJECTCLASS))
                .contains(SERVICE);
    }

    /** Calls a method without parameters that returns a text; empty if it returns none, fails or does not exist. */
    static Optional<String> get(Object service, String method) {
        try {
            return Optional.ofNullable((String) find(service, method).invoke(service));
        } catch (ReflectiveOperationException | RuntimeException e) {
            // Not a warning: names are asked for again with each refresh of the properties.
            LOG.debug("{} does not answer {}", SERVICE, method, e);
            return Optional.empty();
        }
    }

    /** Takes the method from the interface, because the class of the service need not be public. */
    private static Method find(Object service, String method) throws NoSuchMethodException {
        for (Class<?> type = service.getClass(); type != null; type = type.getSuperclass()) {
            Optional<Class<?>> offered = Stream.<Class<?>>of(type.getInterfaces())
                    .filter(each -> each.getName().equals(SERVICE))
                    .findFirst();
            if (offered.isPresent()) {
                return offered.get().getMethod(method);
            }
        }
        throw new NoSuchMethodException(service.getClass() + " does not implement " + SERVICE);
    }
}
