// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.clusterinfo;

import static org.apache.sling.discovery.TestTopology.cluster;
import static org.apache.sling.discovery.TestTopology.view;
import static org.apache.sling.discovery.TopologyEvent.Type.PROPERTIES_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_CHANGING;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Dictionary;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.felix.framework.FrameworkFactory;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.TestTopology.Cluster;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.launch.Framework;
import org.osgi.service.clusterinfo.NodeStatus;
import org.osgi.service.clusterinfo.dto.NodeStatusDTO;
import org.osgi.util.converter.Converters;

/** The rules of the specification, with the service registry of a framework. */
class ClusterInfoTest {

    private static final TopologyView ALONE = of(own());

    @TempDir
    Path storage;

    private Framework framework;
    private BundleContext context;
    private ClusterInfoComponent component;

    @BeforeEach
    void start() throws Exception {
        framework = new FrameworkFactory()
                .newFramework(Map.of(
                        Constants.FRAMEWORK_STORAGE,
                        storage.toString(),
                        "osgi.clusterinfo.region",
                        "us-east-1",
                        "osgi.clusterinfo.tags",
                        "worker, large_box"));
        framework.init();
        context = framework.getBundleContext();
        component = new ClusterInfoComponent(context);
    }

    @AfterEach
    void stop() throws Exception {
        component.deactivate();
        framework.stop();
        framework.waitForStop(0);
    }

    private static Cluster own() {
        return cluster("cluster-1").with("a", true);
    }

    /** Returns a topology of a local cluster and another one. */
    private static TopologyView of(Cluster local) {
        return view(local, cluster("cluster-2").with("elsewhere", false));
    }

    private void send(TopologyEvent.Type type, TopologyView before, TopologyView now) {
        context.getService(context.getServiceReference(TopologyEventListener.class))
                .handleTopologyEvent(new TopologyEvent(type, before, now));
    }

    private List<ServiceReference<NodeStatus>> nodes() {
        try {
            return context.getServiceReferences(NodeStatus.class, null).stream()
                    .sorted()
                    .toList();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private ServiceReference<NodeStatus> node(String id) {
        return nodes().stream()
                .filter(each -> id.equals(each.getProperty("osgi.clusterinfo.id")))
                .findFirst()
                .orElseThrow();
    }

    private List<Object> ids() {
        return nodes().stream()
                .map(each -> each.getProperty("osgi.clusterinfo.id"))
                .sorted()
                .toList();
    }

    private String own(String property) {
        return provider().getProperty(property);
    }

    private PropertyProvider provider() {
        return context.getService(context.getServiceReference(PropertyProvider.class));
    }

    private static Dictionary<String, ?> tags(Object tags) {
        return new Hashtable<>(Map.of("org.osgi.service.clusterinfo.tags", tags));
    }

    @Test
    void eachMemberOfTheLocalClusterIsAServiceWhileTheTopologyIsSettled() {
        assertThat(nodes()).isEmpty();
        send(TOPOLOGY_INIT, null, ALONE);
        assertThat(ids()).containsExactly("a");
        send(TOPOLOGY_CHANGING, ALONE, null);
        assertThat(nodes()).isEmpty();
        send(TOPOLOGY_CHANGED, ALONE, of(own().with("b", false)));
        assertThat(ids()).containsExactly("a", "b");
    }

    /** Section 148.3: id and cluster are mandatory, the rest is missing unless it is known. */
    @Test
    void aNodeWithoutPropertiesHasItsIdAndTheClusterId() {
        send(TOPOLOGY_INIT, null, ALONE);
        assertThat(node("a").getProperty("osgi.clusterinfo.cluster")).isEqualTo("cluster-1");
        assertThat(Stream.of(node("a").getPropertyKeys()).filter(key -> key.startsWith("osgi.clusterinfo.")))
                .containsExactlyInAnyOrder("osgi.clusterinfo.id", "osgi.clusterinfo.cluster");
    }

    /** Section 148.3: the service properties can be converted to the object for them. */
    @Test
    void thePropertiesCanBeConverted() {
        TopologyView view = of(own().with(
                        "b",
                        false,
                        Map.of(
                                "osgi.clusterinfo.cluster",
                                "production",
                                "osgi.clusterinfo.parent",
                                "host-7",
                                "osgi.clusterinfo.vendor",
                                "Example Cloud",
                                "osgi.clusterinfo.country",
                                "CHE",
                                "osgi.clusterinfo.zone",
                                " ",
                                "osgi.clusterinfo.endpoint.private",
                                "http://10.0.0.2/",
                                "osgi.clusterinfo.tags",
                                "worker, gateway,",
                                InstanceDescription.PROPERTY_ENDPOINTS,
                                "http://b/,https://b/")));
        send(TOPOLOGY_INIT, null, view);
        Map<String, Object> properties = new HashMap<>();
        Stream.of(node("b").getPropertyKeys())
                .forEach(key -> properties.put(key, node("b").getProperty(key)));
        NodeStatusDTO node = Converters.standardConverter().convert(properties).to(NodeStatusDTO.class);
        assertThat(node.id).isEqualTo("b");
        assertThat(node.cluster).isEqualTo("production");
        assertThat(node.parentid).isEqualTo("host-7");
        assertThat(node.vendor).isEqualTo("Example Cloud");
        assertThat(node.country).isEqualTo("CHE");
        assertThat(node.zone).isNull();
        assertThat(node.endpoints).containsExactly("http://b/", "https://b/");
        assertThat(node.privateEndpoints).containsExactly("http://10.0.0.2/");
        assertThat(node.tags).containsExactly("worker", "gateway");
        assertThat(properties)
                .containsEntry("osgi.clusterinfo.parent", "host-7")
                .containsEntry("osgi.clusterinfo.endpoint", node.endpoints)
                .containsEntry("osgi.clusterinfo.endpoint.private", node.privateEndpoints);
    }

    /** Section 148.5: tags of any service are added to those of the node; they reach the other members as a property. */
    @Test
    void servicesAddTags() {
        assertThat(own("osgi.clusterinfo.tags")).isEqualTo("large_box,worker");
        Object changes = context.getServiceReference(PropertyProvider.class).getProperty("changeCount");
        ServiceRegistration<?> database =
                context.registerService(Object.class, new Object(), tags(new String[] {"database", "worker"}));
        assertThat(own("osgi.clusterinfo.tags")).isEqualTo("database,large_box,worker");
        assertThat(context.getServiceReference(PropertyProvider.class).getProperty("changeCount"))
                .as("the discovery service calls the provider again")
                .isNotEqualTo(changes);
        database.setProperties(tags(List.of("storage")));
        assertThat(own("osgi.clusterinfo.tags")).isEqualTo("large_box,storage,worker");
        database.setProperties(tags("gateway"));
        assertThat(own("osgi.clusterinfo.tags")).isEqualTo("gateway,large_box,worker");
        database.unregister();
        assertThat(own("osgi.clusterinfo.tags")).isEqualTo("large_box,worker");
    }

    @Test
    void frameworkPropertiesAreSaidToAllMembers() {
        assertThat(own("osgi.clusterinfo.region")).isEqualTo("us-east-1");
        assertThat(own("osgi.clusterinfo.vendor")).isNull();
        assertThat((String[]) context.getServiceReference(PropertyProvider.class)
                        .getProperty(PropertyProvider.PROPERTY_PROPERTIES))
                .contains("osgi.clusterinfo.tags", "osgi.clusterinfo.region", "osgi.clusterinfo.endpoint.private")
                .doesNotContain("osgi.clusterinfo.id", "osgi.clusterinfo.endpoint");
    }

    @Test
    void changedPropertiesModifyTheServiceAndKeepIt() {
        TopologyView before = of(own().with("b", false));
        TopologyView now = of(own().with("b", false, Map.of("osgi.clusterinfo.tags", "database")));
        send(TOPOLOGY_INIT, null, before);
        List<ServiceReference<NodeStatus>> known = nodes();
        int[] modified = {0};
        context.addServiceListener(event -> modified[0]++);
        send(PROPERTIES_CHANGED, before, now);
        assertThat(nodes()).isEqualTo(known);
        assertThat(modified).as("events of the node that changed").containsExactly(1);
        assertThat((String[]) node("b").getProperty("osgi.clusterinfo.tags")).containsExactly("database");
    }

    /** Javadoc of the method: all metrics without names; names that are not available are missing. */
    @Test
    void onlyTheMetricsOfThisProcessAreKnown() {
        send(TOPOLOGY_INIT, null, of(own().with("b", false)));
        NodeStatus own = context.getService(node("a"));
        NodeStatus other = context.getService(node("b"));
        assertThat(own.getMetrics())
                .containsKeys("heapMemoryUsed", "systemLoadAverage")
                .hasSize(6);
        assertThat(own.getMetrics("availableProcessors", "unknown"))
                .isEqualTo(Map.of("availableProcessors", Runtime.getRuntime().availableProcessors()));
        assertThat(other.getMetrics()).isEmpty();
        assertThat(other.getMetrics("heapMemoryUsed")).isEmpty();
    }

    @Test
    void nothingIsLeftWhenTheComponentStops() throws Exception {
        send(TOPOLOGY_INIT, null, ALONE);
        TopologyEventListener listener = context.getService(context.getServiceReference(TopologyEventListener.class));
        component.deactivate();
        assertThat(nodes()).isEmpty();
        assertThat(context.getServiceReference(PropertyProvider.class)).isNull();
        listener.handleTopologyEvent(new TopologyEvent(TOPOLOGY_CHANGED, ALONE, ALONE));
        assertThat(nodes()).isEmpty();
        component = new ClusterInfoComponent(context);
    }
}
