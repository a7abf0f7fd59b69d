// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.options;

import com.codahale.metrics.MetricRegistry;
import io.github.discoveryzk.it.cluster.PlainInstance;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.sling.discovery.PropertyProvider;
import org.junit.Before;
import org.junit.Test;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.framework.wiring.BundleWire;
import org.osgi.framework.wiring.BundleWiring;

/** Released Sling bundles, built against Sling's own API, run unchanged on this implementation. */
public class SlingConsumerIT extends ContainerTest {

    @Override
    @Configuration
    public Option[] configured() {
        // The settings come first, because they provide the instance id.
        return options(
                Setup.configuredContainer(getClass(), settings()),
                Setup.bundles("metrics-core", "org.apache.sling.settings"),
                Setup.ourBundles(),
                Setup.bundles("org.apache.sling.discovery.support"));
    }

    @Before
    public void settle() {
        container().untilCurrent();
    }

    private Bundle support() {
        return container().bundle("org.apache.sling.discovery.support");
    }

    @Test
    public void supportIsWiredToOurApi() {
        List<BundleWire> wires =
                support().adapt(BundleWiring.class).getRequiredWires(PackageNamespace.PACKAGE_NAMESPACE);
        assertThat(support().getState()).isEqualTo(Bundle.ACTIVE);
        assertThat(wires)
                .extracting(wire -> wire.getCapability().getAttributes().get(PackageNamespace.PACKAGE_NAMESPACE)
                        + " of " + wire.getProvider().getSymbolicName())
                .contains("org.apache.sling.discovery of io.github.discoveryzk.api")
                .contains("org.apache.sling.discovery.commons of io.github.discoveryzk.commons");
    }

    @Test
    public void theInstanceIdIsThatOfTheSettings() {
        Bundle settings = container().bundle("org.apache.sling.settings");
        assertThat(Stream.of(settings.getRegisteredServices())
                        .map(reference -> settings.getBundleContext().getService(reference))
                        // A command for a shell that is not in the container cannot be loaded.
                        .filter(Objects::nonNull)
                        .map(SlingConsumerIT::slingId))
                .contains(container().self().getSlingId());
    }

    /** By reflection: the class is in the container only. */
    private static Object slingId(Object service) {
        try {
            return service.getClass().getMethod("getSlingId").invoke(service);
        } catch (ReflectiveOperationException e) {
            return e;
        }
    }

    @Test
    public void itsMetricsFollowTheTopology() {
        MetricRegistry registry = new MetricRegistry();
        container().register(MetricRegistry.class, registry, Map.of("name", "sling"));
        untilShown(registry, "topology.init.events", 1);
        untilShown(registry, "local.cluster.instances", 1);
        try (PlainInstance peer = join("peer")) {
            // It counts itself as one that joined.
            untilShown(registry, "local.cluster.joins", 2);
            untilShown(registry, "local.cluster.instances", 2);
            assertThat(peer.members()).hasSize(2);
        }
        untilShown(registry, "local.cluster.leaves", 1);
        untilShown(registry, "local.cluster.instances", 1);
        untilShown(registry, "topology.changing.events", 2);
        untilShown(registry, "topology.changed.events", 2);
        untilShown(registry, "own.is.leader", 1);
    }

    private static void untilShown(MetricRegistry registry, String gauge, int expected) {
        untilAsserted(() -> {
            assertThat(registry.getGauges()).containsKey("discovery.oak." + gauge);
            Object value = registry.getGauges().get("discovery.oak." + gauge).getValue();
            assertThat(value).as(gauge).hasToString(String.valueOf(expected));
        });
    }

    @Test
    public void itsPropertyProviderIsAsked() {
        assertThat(Stream.of(support().getRegisteredServices())
                        .map(reference -> reference.getProperty(PropertyProvider.PROPERTY_PROPERTIES)))
                .isNotEmpty();
        untilAsserted(
                () -> assertThat(container().self().getProperties()).containsKey("org.apache.sling.instance.name"));
    }
}
