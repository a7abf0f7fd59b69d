// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.server.osgi;

import java.io.IOException;
import java.util.Dictionary;
import java.util.Hashtable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.cm.ConfigurationEvent;
import org.osgi.service.cm.ConfigurationListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connect string of {@code discovery-zk}. It is written into the configuration of {@code discovery-zk}, where administrators look
 * for it, and stays there without this bundle. A connect string that an administrator has written is left alone. Safe for use by any
 * thread.
 */
final class ConnectStringConfiguration implements ConfigurationListener, AutoCloseable {
    private static final String PID = "io.github.discoveryzk.zk";

    private static final Logger LOG = LoggerFactory.getLogger(ConnectStringConfiguration.class);
    private static final String KEY = "connectString";
    /** What features write by default: no administrator has chosen it. */
    private static final String DEFAULT = "127.0.0.1:2181";
    /** Beside the connect string: what this class has written. It may replace that, and nothing else. */
    private static final String WRITTEN = "connectString.ofServers";

    private final ConfigurationAdmin configurations;
    private final String connectString;
    private final ServiceRegistration<ConfigurationListener> registration;
    private volatile boolean accepted;

    ConnectStringConfiguration(BundleContext context, ConfigurationAdmin configurations, String connectString) {
        this.configurations = configurations;
        this.connectString = connectString;
        registration = context.registerService(ConfigurationListener.class, this, null);
    }

    /** Writes the connect string, now and whenever an installer has replaced the configuration by one without it. */
    void accept() {
        if (!accepted) {
            accepted = true;
            write();
        }
    }

    @Override
    public void configurationEvent(ConfigurationEvent event) {
        if (accepted && event.getPid().equals(PID)) {
            write();
        }
    }

    @Override
    public void close() {
        registration.unregister();
    }

    /** Writes the connect string, unless it is there already or an administrator has written another one. */
    private synchronized void write() {
        try {
            Configuration configuration = configurations.getConfiguration(PID, "?");
            Dictionary<String, Object> present = configuration.getProperties();
            Dictionary<String, Object> changed = present == null ? new Hashtable<>() : present;
            Object before = changed.get(KEY);
            if (before != null && !before.equals(DEFAULT) && !before.equals(changed.get(WRITTEN))) {
                return;
            }
            changed.put(KEY, connectString);
            changed.put(WRITTEN, connectString);
            if (!connectString.equals(before)) {
                configuration.update(changed);
                LOG.info("{} of {} is {}, as the list of servers says", KEY, PID, connectString);
            }
        } catch (IOException | IllegalStateException e) {
            LOG.warn("{} of {} cannot be written; write {} there", KEY, PID, connectString, e);
        }
    }
}
