// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.commons.report.Reporter;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.util.tracker.ServiceTracker;

/** What monitoring systems find of an instance: its metrics in JMX and, where the container has their API, health checks and registries. */
final class Monitoring implements AutoCloseable {

    private final MetricsBean bean;
    private final List<ServiceRegistration<?>> checks;
    private final Optional<ServiceTracker<?, ?>> registries;

    Monitoring(BundleContext context, String instanceId, Reporter reporter) {
        bean = new MetricsBean(instanceId, reporter);
        checks = knows(context, HealthChecks.TYPE) ? HealthChecks.register(context, reporter) : List.of();
        registries = knows(context, MetricRegistries.TYPE)
                ? Optional.of(new MetricRegistries(context, reporter))
                : Optional.empty();
        registries.ifPresent(ServiceTracker::open);
    }

    /** Says whether this bundle can load a class of an API that need not be in the container. */
    static boolean knows(BundleContext context, String type) {
        try {
            return context.getBundle().loadClass(type) != null;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    @Override
    public void close() {
        registries.ifPresent(ServiceTracker::close);
        checks.forEach(ServiceRegistration::unregister);
        bean.close();
    }
}
