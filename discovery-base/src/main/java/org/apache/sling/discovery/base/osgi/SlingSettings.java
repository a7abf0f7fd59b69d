// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import java.lang.reflect.Method;

/** Calls Sling's settings service by reflection, so that this bundle resolves without Sling's settings package. */
final class SlingSettings {

    static final String SERVICE = "org.apache.sling.settings.SlingSettingsService";

    private SlingSettings() {}

    /**
     * Calls a method without parameters that returns a text.
     *
     * @throws ReflectiveOperationException if the service does not have the method, or if the method fails
     */
    static String get(Object service, String method) throws ReflectiveOperationException {
        return (String) find(service, method).invoke(service);
    }

    /** Takes the method from the interface, because the class of the service need not be public. */
    private static Method find(Object service, String method) throws NoSuchMethodException {
        for (Class<?> type = service.getClass(); type != null; type = type.getSuperclass()) {
            for (Class<?> offered : type.getInterfaces()) {
                if (offered.getName().equals(SERVICE)) {
                    return offered.getMethod(method);
                }
            }
        }
        throw new NoSuchMethodException(service.getClass() + " does not implement " + SERVICE);
    }
}
