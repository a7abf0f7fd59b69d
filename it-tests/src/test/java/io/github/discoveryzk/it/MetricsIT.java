// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.options;

import com.codahale.metrics.MetricRegistry;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.Before;
import org.junit.Test;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;

/** The metrics as JMX and Dropwizard's registry of Sling show them. {@code MetricsTest} has what moves each of them. */
public class MetricsIT extends ContainerTest {

    private static final MBeanServer JMX = ManagementFactory.getPlatformMBeanServer();
    private static final int SHORT_MILLIS = 4_000;

    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(super.settings());
        settings.put("sessionTimeoutMillis", String.valueOf(SHORT_MILLIS));
        return settings;
    }

    @Override
    protected Option[] more() {
        // Support has metrics of its own, with similar names.
        return options(Setup.bundles(
                "metrics-core",
                "org.apache.sling.settings",
                "org.apache.sling.commons.metrics",
                "org.apache.sling.discovery.support"));
    }

    @Before
    public void settle() {
        untilAsserted(() -> {
            assertThat(container().topology().isCurrent()).isTrue();
            assertThat(container().members()).containsExactly(ID);
        });
    }

    private static ObjectName name() throws JMException {
        return new ObjectName("io.github.discoveryzk:type=Metrics,id=\"" + ID + "\"");
    }

    private static Map<String, Double> metrics() throws JMException {
        String[] names = Stream.of(JMX.getMBeanInfo(name()).getAttributes())
                .map(each -> each.getName())
                .toArray(String[]::new);
        return JMX.getAttributes(name(), names).asList().stream()
                .collect(Collectors.toMap(Attribute::getName, each -> (Double) each.getValue()));
    }

    private static double metric(String name) throws JMException {
        return (Double) JMX.getAttribute(name(), name);
    }

    private static void untilAbove(String name, double value) {
        untilAsserted(() -> assertThat(metric(name)).as(name).isGreaterThan(value));
    }

    @Test
    public void aSettledLeader() throws Exception {
        untilAbove("round_trip_seconds", 0);
        assertThat(metrics())
                .containsEntry("settled", 1.0)
                .containsEntry("leader", 1.0)
                .containsEntry("members", 1.0)
                .containsEntry("excluded_members", 0.0)
                .containsEntry("token", (double)
                        container().report().view().orElseThrow().established().token());
        assertThat(metric("lease_left_seconds")).isBetween(0.001, SHORT_MILLIS / 1_000.0);
        assertThat(metric("properties_bytes")).isBetween(10.0, 100_000.0);
        assertThat(metric("events_total.TOPOLOGY_INIT")).isEqualTo(1);
        assertThat(metric("requests_total.announce")).isPositive();
        untilAbove("view_age_seconds", 0.5);
        untilAbove("requests_total.renew", 1);
    }

    @Test
    public void theRegistryOfSlingHasThemAsLongAsTheServiceLives() throws Exception {
        assertThat(ours()).containsKeys("discovery.settled", "discovery.requests_total.renew");
        assertThat(ours()).containsEntry("discovery.settled", 1.0).containsEntry("discovery.members", 1.0);
        assertThat(gauges()).containsKey("discovery.oak.topology.is.undefined");
        Bundle base = container().bundle("io.github.discoveryzk.base");
        base.stop();
        try {
            assertThat(ours()).isEmpty();
            assertThat(JMX.isRegistered(name())).isFalse();
        } finally {
            base.start();
        }
        untilAsserted(() -> assertThat(ours()).containsEntry("discovery.settled", 1.0));
        assertThat(JMX.isRegistered(name())).isTrue();
    }

    private Map<String, Object> ours() {
        Map<String, Object> all = gauges();
        all.keySet().removeIf(name -> !name.startsWith("discovery.") || name.startsWith("discovery.oak."));
        return all;
    }

    private Map<String, Object> gauges() {
        return container().ask(MetricRegistry.class, registry -> {
            Map<String, Object> values = new HashMap<>();
            registry.getGauges().forEach((name, gauge) -> values.put(name, gauge.getValue()));
            return values;
        });
    }
}
