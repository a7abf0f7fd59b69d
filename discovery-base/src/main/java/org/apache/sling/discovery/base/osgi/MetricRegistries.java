// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.Set;
import org.apache.sling.discovery.commons.report.Metric;
import org.apache.sling.discovery.commons.report.Reporter;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;

/**
 * Adds the metrics to each registry of Dropwizard that is a service: a gauge for each value that has a name when discovery starts. To be
 * used only when their API is there.
 */
final class MetricRegistries extends ServiceTracker<MetricRegistry, MetricRegistry> {

    private static final String PREFIX = "discovery.";

    private final Reporter reporter;
    private final Set<String> names;

    MetricRegistries(BundleContext context, Reporter reporter) {
        super(context, MetricRegistry.class, null);
        this.reporter = reporter;
        this.names = Metric.flat(reporter.metrics()).keySet();
    }

    @Override
    public MetricRegistry addingService(ServiceReference<MetricRegistry> reference) {
        MetricRegistry registry = super.addingService(reference);
        if (registry != null) {
            remove(registry);
            names.forEach(name -> registry.register(PREFIX + name, (Gauge<Double>)
                    () -> Metric.flat(reporter.metrics()).get(name)));
        }
        return registry;
    }

    private void remove(MetricRegistry registry) {
        names.forEach(name -> registry.remove(PREFIX + name));
    }

    @Override
    public void removedService(ServiceReference<MetricRegistry> reference, MetricRegistry registry) {
        remove(registry);
        super.removedService(reference, registry);
    }
}
