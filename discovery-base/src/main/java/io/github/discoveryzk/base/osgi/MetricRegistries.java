// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.github.discoveryzk.report.Metric;
import io.github.discoveryzk.report.Reporter;
import java.util.Map;
import java.util.TreeMap;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;

/**
 * Adds the metrics to each registry of Dropwizard that is a service: a gauge for each value that has a name when discovery starts. To be
 * used only when their API is there.
 */
final class MetricRegistries extends ServiceTracker<MetricRegistry, MetricRegistry> {

    private final Map<String, Gauge<Double>> gauges = new TreeMap<>();

    MetricRegistries(BundleContext context, Reporter reporter) {
        super(context, MetricRegistry.class, null);
        for (String name : Metric.flat(reporter.metrics()).keySet()) {
            gauges.put(
                    "discovery." + name, () -> Metric.flat(reporter.metrics()).get(name));
        }
    }

    @Override
    public MetricRegistry addingService(ServiceReference<MetricRegistry> reference) {
        MetricRegistry registry = super.addingService(reference);
        if (registry != null) {
            remove(registry);
            gauges.forEach(registry::register);
        }
        return registry;
    }

    private void remove(MetricRegistry registry) {
        gauges.keySet().forEach(registry::remove);
    }

    @Override
    public void removedService(ServiceReference<MetricRegistry> reference, MetricRegistry registry) {
        remove(registry);
        super.removedService(reference, registry);
    }
}
