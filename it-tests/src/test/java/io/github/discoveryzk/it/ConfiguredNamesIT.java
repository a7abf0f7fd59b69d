// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.frameworkProperty;
import static org.ops4j.pax.exam.CoreOptions.options;

import java.util.Map;
import org.apache.sling.discovery.InstanceDescription;
import org.junit.Before;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;

/** Where the name and the description of an instance come from, with Sling's settings service and without it. */
public class ConfiguredNamesIT extends ContainerTest {

    private static final String PID = "org.apache.sling.settings.impl.SlingSettingsServiceImpl";

    @Override
    @Configuration
    public Option[] configured() {
        return options(
                Setup.configuredContainer(getClass(), settings()),
                frameworkProperty("sling.description").value("of the framework"),
                // The settings come late: they are the last bundle.
                Setup.ourBundles(),
                Setup.bundles("org.apache.sling.settings"));
    }

    @Before
    public void settle() {
        container().untilCurrent();
    }

    private Bundle bundle() {
        return container().bundle("org.apache.sling.settings");
    }

    private void untilNamed(String name, String description) {
        untilAsserted(() -> {
            Map<String, String> properties = container().self().getProperties();
            assertThat(properties.get(InstanceDescription.PROPERTY_NAME)).isEqualTo(name);
            assertThat(properties.get(InstanceDescription.PROPERTY_DESCRIPTION)).isEqualTo(description);
        });
    }

    @Test
    public void theSettingsAreAskedFirstThenTheFramework() throws BundleException {
        untilNamed(null, "of the framework");
        container().configure(PID, Map.of("sling.name", "first", "sling.description", "of the settings"));
        untilNamed("first", "of the settings");
        container().configure(PID, Map.of("sling.name", "second"));
        untilNamed("second", "of the framework");

        bundle().stop();
        untilNamed(null, "of the framework");
        bundle().start();
        untilNamed("second", "of the framework");
        // The service makes a name of its id now, as it has made a description before.
        container().configure(PID, Map.of("sling.description", "last"));
        untilNamed(null, "last");
    }
}
