// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls services by reflection, so that this bundle resolves without the packages of their types. */
final class UnimportedService {

    /** Sling's settings. */
    static final String SETTINGS = "org.apache.sling.settings.SlingSettingsService";

    /** A content repository; the services of Sling and Oak have this type too. */
    static final String REPOSITORY = "javax.jcr.Repository";

    private static final Logger LOG = LoggerFactory.getLogger(UnimportedService.class);

    private UnimportedService() {}

    /** Says whether a service has one of the types. */
    static boolean isOffered(ServiceReference<?> reference, String... types) {
        return Stream.of(types)
                .anyMatch(Arrays.asList((String[]) reference.getProperty(Constants.OBJECTCLASS))::contains);
    }

    /** Calls a method of a type that returns a text; empty if it returns none, fails or does not exist. */
    static Optional<String> get(
            ServiceReference<?> reference, Object service, String type, String method, String... arguments) {
        try {
            Class<?>[] texts = Stream.of(arguments).map(String::getClass).toArray(Class<?>[]::new);
            // The class of the service need not be public, and its bundle knows the type.
            return Optional.ofNullable((String) reference
                    .getBundle()
                    .loadClass(type)
                    .getMethod(method, texts)
                    .invoke(service, (Object[]) arguments));
        } catch (ReflectiveOperationException | RuntimeException e) {
            // Not a warning: names are asked for again with each refresh of the properties.
            LOG.debug("{} does not answer {}", type, method, e);
            return Optional.empty();
        }
    }
}
