// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.github.discoveryzk.report.Metric;
import io.github.discoveryzk.report.Reporter;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceReference;

/** A registry of Dropwizard 4; the integration tests have one of version 3. */
class MetricRegistriesTest {

    private final MetricRegistry registry = new MetricRegistry();
    private double value = 1;

    private final BundleContext context = proxy(BundleContext.class);
    private final MetricRegistries registries = new MetricRegistries(context, proxy(Reporter.class));
    private final ServiceReference<MetricRegistry> reference = reference();

    @SuppressWarnings("unchecked")
    private static ServiceReference<MetricRegistry> reference() {
        return (ServiceReference<MetricRegistry>) Proxy.newProxyInstance(
                MetricRegistriesTest.class.getClassLoader(),
                new Class<?>[] {ServiceReference.class},
                (proxy, method, arguments) -> null);
    }

    private <T> T proxy(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "createFilter" -> FrameworkUtil.createFilter((String) arguments[0]);
                    case "getService" -> registry;
                    case "ungetService" -> true;
                    case "metrics" -> List.of(
                            Metric.gauge("settled", "help", value),
                            new Metric("events", Metric.Type.COUNTER, "help", "type", Map.of("a", value)));
                    default -> throw new UnsupportedOperationException(method.toString());
                }));
    }

    @Test
    void theMetricsAreGaugesOfTheRegistryUntilItGoes() {
        registry.counter("other");
        registries.addingService(reference);
        assertThat(registry.getGauges())
                .containsOnlyKeys("discovery.settled", "discovery.events_total", "discovery.events_total.a");
        assertThat(registry.getGauges().get("discovery.settled").getValue()).isEqualTo(1.0);
        value = 2;
        assertThat(registry.getGauges().get("discovery.events_total.a").getValue())
                .isEqualTo(2.0);

        registries.removedService(reference, registry);
        assertThat(registry.getMetrics()).containsOnlyKeys("other");
    }
}
