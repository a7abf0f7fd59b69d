// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.ops4j.pax.exam.CoreOptions.bundle;
import static org.ops4j.pax.exam.CoreOptions.options;

import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.it.outside.Limit;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.ServiceRegistration;

/** The members as services of the OSGi Cluster Information Specification. */
public class ClusterInfoIT extends ContainerTest {

    private static final String NODES = "(objectClass=org.osgi.service.clusterinfo.NodeStatus)";

    private final CountDownLatch release = new CountDownLatch(1);

    @Override
    protected Option[] more() {
        return options(
                Setup.bundles("discovery-cluster-info", "starter/org.apache.felix.http.servlet-api"),
                bundle(Setup.jar("starter/org.apache.felix.http.jetty").toURI().toString())
                        .noStart());
    }

    @Before
    public void settle() {
        untilAsserted(() -> assertThat(nodes()).isEqualTo(1));
    }

    @After
    public void goOn() {
        release.countDown();
        assertThat(container().errors()).isEmpty();
    }

    private int nodes() {
        return container().count(NODES);
    }

    private static String node(String property, String value) {
        return "(&" + NODES + "(osgi.clusterinfo." + property + "=" + value + "))";
    }

    @Test
    public void eachMemberIsANodeWithWhatItSaysOfItself() {
        assertThat(container().finds(node("id", ID))).isTrue();
        ServiceRegistration<Object> database = container()
                .register(Object.class, new Object(), Map.of("org.osgi.service.clusterinfo.tags", "database"));
        untilAsserted(
                () -> assertThat(container().finds(node("tags", "database"))).isTrue());
        try (PlainInstance peer = join("peer")) {
            untilAsserted(() -> assertThat(nodes()).isEqualTo(2));
            assertThat(peer.properties(ID)).containsEntry("osgi.clusterinfo.tags", "database");
            assertThat(container().count(node("cluster", peer.clusterId()))).isEqualTo(2);
            peer.offer("osgi.clusterinfo.tags", "worker,gateway");
            untilAsserted(
                    () -> assertThat(container().finds(node("tags", "gateway"))).isTrue());
            container().unregister(database);
            untilAsserted(() ->
                    assertThat(container().finds(node("tags", "database"))).isFalse());
        }
        untilAsserted(() -> {
            assertThat(nodes()).isEqualTo(1);
            assertThat(container().finds(node("id", ID))).isTrue();
        });
    }

    @Test
    public void anEndpointOfAllInterfacesIsShownWithTheHost() throws Exception {
        container()
                .register(
                        "org.apache.felix.http.jetty",
                        "org.osgi.service.http.HttpService",
                        null,
                        Map.of("osgi.http.service.endpoints", "http://0.0.0.0:8181/,http://[::]:8181/"));
        String host = InetAddress.getLocalHost().getHostName();
        untilAsserted(() -> assertThat(container().finds(node("endpoint", "http://" + host + ":8181/")))
                .isTrue());
        assertThat(container().finds(node("endpoint", "*//0.0.0.0:*"))).isFalse();
    }

    @Test
    public void noNodeIsLeftWhenTheViewIsAcknowledged() throws Exception {
        hangWhileANodeGoes();
        CompletableFuture<PlainInstance> joining = CompletableFuture.supplyAsync(() -> join("peer"));
        untilAsserted(() -> assertThat(container().report().sentence())
                .contains("NodeServices", "bundle io.github.discoveryzk.clusterinfo"));
        assertThat(joining).as("the view with the node is not acknowledged").isNotDone();
        release.countDown();
        try (PlainInstance peer = joining.get(Limit.millis(), TimeUnit.MILLISECONDS)) {
            assertThat(peer.members()).containsExactly(ID, "peer");
            untilAsserted(() -> assertThat(nodes()).isEqualTo(2));
        }
    }

    private void hangWhileANodeGoes() throws InvalidSyntaxException {
        BundleContext context = FrameworkUtil.getBundle(getClass()).getBundleContext();
        ServiceListener hanging = event -> {
            if (event.getType() == ServiceEvent.UNREGISTERING) {
                awaitRelease();
            }
        };
        context.addServiceListener(hanging, NODES);
    }

    private void awaitRelease() {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    public void theBundleGoesAndComesBack() throws Exception {
        container().bundle("io.github.discoveryzk.clusterinfo").stop();
        assertThat(nodes()).isZero();
        untilAsserted(() -> assertThat(container().self().getProperties()).doesNotContainKey("osgi.clusterinfo.tags"));
        container().bundle("io.github.discoveryzk.clusterinfo").start();
        untilAsserted(() -> assertThat(nodes()).isEqualTo(1));
        assertThat(List.of(
                        container().bundle("io.github.discoveryzk.clusterinfo").getRegisteredServices()))
                .hasSize(3);
    }
}
