// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.osgi;

import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connectors of this container's instance, which exist as long as their configuration does. No service of it is registered, because its
 * properties would have the shared key.
 */
@Component(
        service = {},
        immediate = true,
        configurationPid = ConnectorConfiguration.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = ConnectorConfig.class)
public final class ConnectorComponent {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectorComponent.class);

    private final AttachedComponent attached;

    @Activate
    public ConnectorComponent(@Reference AttachedComponent attached, Map<String, Object> configuration) {
        this.attached = attached;
        configure(configuration);
    }

    /** Applies the configuration; the instance stays in its cluster. */
    @Modified
    void configure(Map<String, Object> configuration) {
        ConnectorConfiguration read = ConnectorConfiguration.of(configuration);
        read.problems().forEach(LOG::warn);
        attached.connect(read);
    }

    @Deactivate
    void deactivate() {
        attached.disconnect();
    }
}
