// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.sample;

import java.util.Map;
import org.apache.felix.scr.annotations.Activate;
import org.apache.felix.scr.annotations.Component;
import org.apache.felix.scr.annotations.Modified;
import org.apache.felix.scr.annotations.Property;
import org.apache.felix.scr.annotations.Service;
import org.apache.sling.discovery.PropertyProvider;

/**
 * Provides two values to the whole topology. They are its configuration, so they can be changed while it runs: the component
 * runtime passes the new values to {@link #configure} first and updates the service properties afterwards, and that update
 * makes discovery call the provider again. An empty value withdraws the property.
 *
 * <p>May be called by any thread at any time.
 */
@Component(
        metatype = true,
        label = "Discovery Sample: Properties",
        description = "Two values that this instance provides to all instances of the topology.")
@Service(PropertyProvider.class)
@Property(
        name = PropertyProvider.PROPERTY_PROPERTIES,
        value = {SamplePropertyProvider.VALUE_1, SamplePropertyProvider.VALUE_2},
        propertyPrivate = true)
public final class SamplePropertyProvider implements PropertyProvider {

    @Property(value = "one", label = "First value", description = "The property sample.value1; empty withdraws it.")
    static final String VALUE_1 = "sample.value1";

    @Property(value = "two", label = "Second value", description = "The property sample.value2; empty withdraws it.")
    static final String VALUE_2 = "sample.value2";

    private volatile Map<String, String> values = Map.of();

    /**
     * Applies the first and every later configuration.
     *
     * @param configuration the component properties, never null
     */
    @Activate
    @Modified
    public void configure(Map<String, Object> configuration) {
        values = Map.of(VALUE_1, text(configuration, VALUE_1), VALUE_2, text(configuration, VALUE_2));
    }

    @Override
    public String getProperty(String name) {
        String value = values.getOrDefault(name, "");
        return value.isEmpty() ? null : value;
    }

    private static String text(Map<String, Object> configuration, String name) {
        Object value = configuration.get(name);
        return value == null ? "" : value.toString();
    }
}
