// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it;

import static org.apache.sling.discovery.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.options;

import com.codahale.metrics.MetricRegistry;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.commons.report.Operator;
import org.apache.sling.discovery.it.cluster.PlainInstance;
import org.apache.sling.discovery.it.outside.Interruption;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;

/** The metrics as JMX and Dropwizard's registry of Sling show them, and what moves each of them. */
public class MetricsIT extends ContainerTest {

    private static final MBeanServer JMX = ManagementFactory.getPlatformMBeanServer();
    private static final int SHORT_MILLIS = 4_000;

    private final CountDownLatch release = new CountDownLatch(1);

    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(super.settings());
        settings.put("connectString", Interruption.address());
        settings.put("sessionTimeoutMillis", String.valueOf(SHORT_MILLIS));
        settings.put("settleTimeoutMillis", String.valueOf(SHORT_MILLIS));
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

    @After
    public void goOn() {
        release.countDown();
        Interruption.restore();
    }

    private static ObjectName name() throws JMException {
        return new ObjectName("org.apache.sling.discovery:type=Metrics,id=\"" + ID + "\"");
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

    private static void until(String name, double value) {
        untilAsserted(() -> assertThat(metric(name)).as(name).isEqualTo(value));
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
    public void membersAndLeadersThatComeAndGo() throws Exception {
        Map<String, Double> before = metrics();
        try (PlainInstance peer = join("peer")) {
            until("members", 2);
            container().ask(Operator.class, Operator::stepDown);
            until("leader", 0);
            untilAsserted(() -> assertThat(peer.order()).containsExactly("peer", ID));
            until("settled", 1);
        }
        until("leader", 1);
        Map<String, Double> after = metrics();
        for (String name : Arrays.asList(
                "token",
                "changes_total",
                "leader_changes_total",
                "changing_seconds.count",
                "changing_seconds.sum",
                "changing_seconds.bucket.+Inf",
                "events_total.TOPOLOGY_CHANGING",
                "events_total.TOPOLOGY_CHANGED")) {
            assertThat(after.get(name)).as(name).isGreaterThan(before.getOrDefault(name, 0.0));
        }
        assertThat(after.keySet()).anyMatch(name -> name.startsWith("changes_total."));
    }

    @Test
    public void anInterruption() throws Exception {
        double reconnects = metric("reconnects_total");
        Interruption.cut();
        until("settled", 0);
        assertThat(metric("leader")).isZero();
        assertThat(metric("lease_left_seconds")).isZero();
        Interruption.restore();
        untilAbove("reconnects_total", reconnects);
    }

    @Test
    public void aRequestThatIsDenied() throws Exception {
        double failures = metric("request_failures_total.renew");
        Interruption.permit(cluster(), "lease", false);
        try {
            untilAbove("request_failures_total.renew", failures);
        } finally {
            Interruption.permit(cluster(), "lease", true);
        }
    }

    @Test
    public void aMemberWithAListenerThatHangsIsExcluded() throws Exception {
        try (PlainInstance late = PlainInstance.join(cluster(), "late", SHORT_MILLIS, SHORT_MILLIS)) {
            until("members", 2);
            late.hangUntil(release);
            try (PlainInstance third = PlainInstance.join(cluster(), "third", SHORT_MILLIS, SHORT_MILLIS)) {
                until("excluded_members", 1);
                assertThat(third.isCurrent()).isTrue();
                release.countDown();
                until("excluded_members", 0);
            }
        }
    }

    @Test
    public void theLongestCallOfAListener() throws Exception {
        Recorder slow = new Recorder() {
            @Override
            void then(TopologyEvent event) {
                untilAbove("listener_longest_call_seconds." + getClass().getName(), 0.1);
            }
        };
        container().register(slow);
        slow.awaitEvents(Type.TOPOLOGY_INIT);
        untilAbove("listener_longest_call_seconds", 0.1);
    }

    @Test
    public void theRegistryOfSlingHasThemAsLongAsTheServiceLives() throws Exception {
        assertThat(ours()).containsKeys("discovery.settled", "discovery.requests_total.renew");
        assertThat(ours()).containsEntry("discovery.settled", 1.0).containsEntry("discovery.members", 1.0);
        assertThat(gauges()).containsKey("discovery.oak.topology.is.undefined");
        Bundle base = container().bundle("discovery-base");
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
