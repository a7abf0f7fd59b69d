// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Provides properties of the local instance, which all instances of the topology can read. An OSGi service that applications
 * implement and register.
 *
 * <p>The service property {@link #PROPERTY_PROPERTIES} lists the names it offers, as a {@code String} or a {@code String[]}.
 * A service without it, or with a value of another type, offers nothing.
 *
 * <ul>
 *   <li>A name is one or more of ASCII letters, digits, {@code .}, {@code _} and {@code -}. A property under any other name is
 *       excluded.
 *   <li>If several services offer a name, the one with the highest {@code service.ranking} wins, among equals the one with the
 *       lowest {@code service.id}, as everywhere in OSGi.
 *   <li>Properties last as long as the instance takes part in the topology, and no longer.
 *   <li>When the list of names or a value changes, the service changes its registration, for instance by counting up a
 *       service property of its own. Values may be read again at any other time as well. Values that turn out to be equal
 *       cause no event.
 *   <li>When the service is unregistered, its properties are removed.
 * </ul>
 */
@ConsumerType
public interface PropertyProvider {

    /** Name of the service property that lists the names of the properties offered; a {@code String} or a {@code String[]}. */
    String PROPERTY_PROPERTIES = "instance.properties";

    /**
     * Returns the value of a property now. Called by a thread of discovery, for one name after another; must return quickly. An
     * exception is logged and affects this name only: the property is omitted.
     *
     * @param name one of the names offered, never null
     * @return the value, or null to leave the property out
     */
    String getProperty(String name);
}
