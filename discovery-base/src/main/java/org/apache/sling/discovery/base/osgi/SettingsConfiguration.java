// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.cm.ConfigurationEvent;
import org.osgi.service.cm.ConfigurationListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration of Sling's settings service, for a container without that service. It is only listed: a component with this
 * PID, or a call of {@code getConfiguration}, could bind the configuration to this bundle and hide it from its owner. Used only
 * where the package of the configuration admin is wired.
 */
final class SettingsConfiguration implements ConfigurationListener, AutoCloseable {

    static final String PID = "org.apache.sling.settings.impl.SlingSettingsServiceImpl";

    private static final Logger LOG = LoggerFactory.getLogger(SettingsConfiguration.class);

    private final BundleContext context;
    private final Runnable changed;
    private final ServiceListener admins = this::announce;
    private ServiceRegistration<ConfigurationListener> registration;

    SettingsConfiguration(BundleContext context, Runnable changed) {
        this.context = context;
        this.changed = changed;
    }

    void open() throws InvalidSyntaxException {
        context.addServiceListener(
                admins, "(" + Constants.OBJECTCLASS + "=" + ConfigurationAdmin.class.getName() + ")");
        registration = context.registerService(ConfigurationListener.class, this, null);
    }

    private void announce(ServiceEvent event) {
        if (event.getType() == ServiceEvent.REGISTERED) {
            changed.run();
        }
    }

    /** Returns a value as text; empty if the configuration does not have it. */
    Optional<String> get(String key) {
        ServiceReference<ConfigurationAdmin> reference = context.getServiceReference(ConfigurationAdmin.class);
        if (reference == null) {
            return Optional.empty();
        }
        try {
            return Stream.ofNullable(context.getService(reference))
                    .flatMap(SettingsConfiguration::list)
                    .flatMap(each -> Stream.ofNullable(each.getProperties()))
                    .flatMap(properties -> Stream.ofNullable(properties.get(key)))
                    .map(Object::toString)
                    .findFirst();
        } catch (IllegalStateException e) {
            LOG.debug("The configuration {} cannot be read", PID, e);
            return Optional.empty();
        } finally {
            context.ungetService(reference);
        }
    }

    private static Stream<Configuration> list(ConfigurationAdmin admin) {
        try {
            return Stream.ofNullable(admin.listConfigurations("(" + Constants.SERVICE_PID + "=" + PID + ")"))
                    .flatMap(Stream::of);
        } catch (IOException | InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void configurationEvent(ConfigurationEvent event) {
        if (PID.equals(event.getPid())) {
            changed.run();
        }
    }

    @Override
    public void close() {
        registration.unregister();
        context.removeServiceListener(admins);
    }
}
