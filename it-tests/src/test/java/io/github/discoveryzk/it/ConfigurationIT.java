// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.apache.sling.discovery.TopologyEvent.Type.PROPERTIES_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGING;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.github.discoveryzk.it.cluster.PlainInstance;
import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.it.outside.Server;
import io.github.discoveryzk.report.Reporter;
import io.github.discoveryzk.report.TopologyReport.Cluster;
import io.github.discoveryzk.spi.ClusterBackend;
import io.github.discoveryzk.spi.ClusterStore;
import java.lang.Thread.State;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.sling.discovery.DiscoveryService;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.junit.Before;
import org.junit.Test;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;

/** The configurations of the back end and the instance, changed while the instance runs. */
public class ConfigurationIT extends ContainerTest {

    private static final String CLUSTER = "ConfigurationIT";
    private static final String OTHER = "configuration-2";

    private final Recorder recorder = new Recorder();

    @Before
    public void settle() {
        container().configure(Container.settings(CLUSTER));
        untilIn(CLUSTER);
        // The property of the test before is withdrawn.
        untilAsserted(() -> assertThat(Container.offered(container().self())).isEmpty());
        container().register(recorder);
        recorder.awaitEvents(TOPOLOGY_INIT);
    }

    private void untilIn(String cluster) {
        untilAsserted(() -> {
            assertThat(container().offers(DiscoveryService.class.getName())).isTrue();
            assertThat(container().report().source().address()).endsWith("cluster " + cluster);
            assertThat(container().topology().isCurrent()).isTrue();
        });
    }

    @Test
    public void anotherClusterNameMovesTheInstance() {
        TopologyView before = container().topology();
        String id = before.getLocalInstance().getClusterView().getId();
        try (PlainInstance stays = PlainInstance.join(CLUSTER, "stays");
                PlainInstance receives = PlainInstance.join(OTHER, "receives")) {
            untilAsserted(() -> assertThat(stays.members()).containsExactly(ID, "stays"));
            container().configure(Container.settings(OTHER));
            untilIn(OTHER);
            untilAsserted(() -> assertThat(stays.members()).containsExactly("stays"));
            untilAsserted(() -> assertThat(receives.members()).containsExactly("receives", ID));
            assertThat(container().members()).containsExactly("receives", ID);
            assertThat(container().self().getClusterView().getId())
                    .isEqualTo(receives.clusterId())
                    .isNotEqualTo(id);
            assertThat(stays.clusterId()).isEqualTo(id);
        }
        assertThat(before.isCurrent()).isFalse();
        // It belongs to one service after the other and receives INIT from each.
        untilAsserted(() -> assertThat(recorder.types())
                .filteredOn(type -> type == TOPOLOGY_INIT)
                .hasSize(2));
        int second = recorder.types().lastIndexOf(TOPOLOGY_INIT);
        assertThat(recorder.types().get(second - 1)).isEqualTo(TOPOLOGY_CHANGING);
        assertThat(recorder.events()
                        .get(second)
                        .getNewView()
                        .getLocalInstance()
                        .getClusterView()
                        .getId())
                .isNotEqualTo(id);
    }

    @Test
    public void aListenerThatIsStillBusyIsNotCalledByTheNextService() {
        CountDownLatch release = new CountDownLatch(1);
        Recorder busy = new Recorder(release, TOPOLOGY_INIT);
        try {
            container().register(busy);
            busy.awaitEvents(TOPOLOGY_INIT);
            container().configure(Container.settings(OTHER));
            untilIn(OTHER);
            untilAsserted(() ->
                    assertThat(recorder.types()).containsExactly(TOPOLOGY_INIT, TOPOLOGY_CHANGING, TOPOLOGY_INIT));
            assertThat(busy.types()).containsExactly(TOPOLOGY_INIT);
        } finally {
            release.countDown();
        }
        untilAsserted(() -> assertThat(busy.types()).containsExactly(TOPOLOGY_INIT, TOPOLOGY_INIT));
    }

    @Test
    public void anotherPolicyIsNoEventAndNonsenseStopsNothing() {
        DiscoveryService service = container().discovery();
        TopologyView view = container().topology();
        container()
                .configure(
                        Container.INSTANCE_PID, Map.of("settleTimeoutMillis", "12345", "suspendedPolicy", "perhaps"));
        untilReported("suspendedPolicy", "perhaps");
        assertThat(container().topology()).isSameAs(view);
        // An event that they might have caused would have come before this.
        container()
                .register(PropertyProvider.class, name -> "1", Map.of(PropertyProvider.PROPERTY_PROPERTIES, "marker"));
        recorder.awaitEvents(TOPOLOGY_INIT, PROPERTIES_CHANGED);
        untilAsserted(() -> assertThat(container().report().clusters())
                .flatExtracting(Cluster::instances)
                .allMatch(each -> each.process().settings().contains("settleTimeoutMillis=12345 ")));
        assertThat(container().discovery()).isSameAs(service);
        container().delete(Container.INSTANCE_PID);
    }

    @Test
    public void aUselessAddressIsReportedThoughNoServerAnswers() {
        assumeTrue("a foreign server answers at the default address", Server.keepDefaultPortSilent());
        container().configure(Container.with(Container.settings(CLUSTER), "connectString", "127.0.0.1:port"));
        untilReported("connectString", "127.0.0.1:port");
    }

    @Test
    public void listenersOfAStoppedServiceReceiveChanging() throws Exception {
        TopologyView view = container().topology();
        container().bundle("io.github.discoveryzk.zk").stop();
        try {
            assertThat(container().offers(DiscoveryService.class.getName())).isFalse();
            recorder.awaitEvents(TOPOLOGY_INIT, TOPOLOGY_CHANGING);
            assertThat(view.isCurrent()).isFalse();
        } finally {
            container().bundle("io.github.discoveryzk.zk").start();
        }
        untilIn(CLUSTER);
        Recorder again = new Recorder();
        container().register(TopologyEventListener.class, again, Map.of());
        again.awaitEvents(TOPOLOGY_INIT);
    }

    /** SCR drops an object that it creates while a service that it needs goes, and does not deactivate it. */
    @Test
    public void aBackEndThatGoesWhileTheServiceIsCreatedLeavesNoInstance() throws Exception {
        ClusterBackend backend = container().ask(ClusterBackend.class, any -> any);
        CompletableFuture<Thread> leaving = new CompletableFuture<>();
        ServiceRegistration<ClusterBackend> other = container()
                .register(
                        ClusterBackend.class,
                        new OtherBackend(backend, leaving),
                        Map.of(Constants.SERVICE_RANKING, -1));
        leaving.complete(new Thread(() -> container().unregister(other)));
        container().bundle("io.github.discoveryzk.zk").stop();
        leaving.get().join(Limit.millis());
        container().bundle("io.github.discoveryzk.zk").start();

        untilIn(CLUSTER);
        assertThat(container().all(Reporter.class)).hasSize(1);
    }

    /** Creates the stores of another back end, after a thread has begun to unregister this one. */
    private record OtherBackend(ClusterBackend first, CompletableFuture<Thread> leaving) implements ClusterBackend {

        @Override
        public ClusterStore newStore() {
            leaving.join().start();
            untilAsserted(() -> assertThat(leaving.join().getState()).isNotIn(State.NEW, State.RUNNABLE));
            return first.newStore();
        }

        @Override
        public int sessionTimeoutMillis() {
            return first.sessionTimeoutMillis();
        }

        @Override
        public String address() {
            return first.address();
        }

        @Override
        public List<String> problems() {
            return first.problems();
        }
    }

    private void untilReported(String key, String words) {
        untilAsserted(() -> assertThat(container().report().problems())
                .anyMatch(sentence -> sentence.contains(key) && sentence.contains(words)));
    }
}
