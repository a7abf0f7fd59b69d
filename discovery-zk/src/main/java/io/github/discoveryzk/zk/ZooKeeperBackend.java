// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import io.github.discoveryzk.spi.ClusterBackend;
import io.github.discoveryzk.spi.ClusterStore;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import org.osgi.annotation.bundle.Capability;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the configured cluster as a service. For a change the service is replaced, so that the instance leaves the one cluster and
 * joins the other.
 */
@Component(
        immediate = true,
        service = {},
        configurationPid = BackendSettings.PID,
        configurationPolicy = ConfigurationPolicy.OPTIONAL)
@Designate(ocd = ZooKeeperBackendConfig.class)
@Capability(
        namespace = "osgi.service",
        attribute = "objectClass:List<String>=\"io.github.discoveryzk.spi.ClusterBackend\"")
public final class ZooKeeperBackend {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperBackend.class);

    private BundleContext context;
    private ServiceRegistration<ClusterBackend> registration;
    private Configured offered;

    @Activate
    public synchronized void activate(BundleContext bundleContext, Map<String, Object> configuration) {
        context = bundleContext;
        offer(settings(configuration));
    }

    @Modified
    public synchronized void modified(Map<String, Object> configuration) {
        BackendSettings changed = settings(configuration);
        if (changed.store().equals(offered.settings.store())) {
            offered.settings = changed;
        } else {
            withdraw();
            offer(changed);
        }
    }

    @Deactivate
    public synchronized void deactivate() {
        withdraw();
    }

    private static BackendSettings settings(Map<String, Object> configuration) {
        BackendSettings settings = BackendSettings.of(configuration);
        settings.problems().forEach(LOG::warn);
        return settings;
    }

    private void offer(BackendSettings settings) {
        offered = new Configured(settings);
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put("address", offered.address());
        registration = context.registerService(ClusterBackend.class, offered, properties);
    }

    private void withdraw() {
        registration.unregister();
    }

    /** The service. Of its settings only the problems change. */
    private static final class Configured implements ClusterBackend {
        private volatile BackendSettings settings;

        private Configured(BackendSettings settings) {
            this.settings = settings;
        }

        @Override
        public ClusterStore newStore() {
            return new ZooKeeperStore(settings.store());
        }

        @Override
        public int sessionTimeoutMillis() {
            return settings.store().sessionTimeoutMillis();
        }

        @Override
        public String address() {
            return settings.store().address();
        }

        @Override
        public List<String> problems() {
            return settings.problems();
        }
    }
}
