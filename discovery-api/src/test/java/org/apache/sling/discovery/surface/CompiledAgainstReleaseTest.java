// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.surface;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.DiscoveryService;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.InstanceFilter;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEvent.Type;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompiledAgainstReleaseTest {

    @TempDir
    Path folder;

    private URLClassLoader loader;
    private Object consumer;

    @BeforeEach
    void compileAgainstTheReleaseAndLoadOnOurs() throws Exception {
        Path source = folder.resolve("Consumer.java");
        try (InputStream text = getClass().getResourceAsStream("Consumer.java.txt")) {
            Files.copy(text, source);
        }
        String released = ReleasedJar.jar("sling.discovery.api.jar").toString();
        List<String> options =
                List.of("--release", "8", "-Xlint:-options", "-proc:none", "-cp", released, "-d", folder.toString());
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter output = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            boolean compiled = compiler.getTask(output, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            assertThat(compiled).as(output.toString()).isTrue();
        }
        loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, TopologyEvent.class.getClassLoader());
        consumer = loader.loadClass("consumer.Consumer").getConstructor().newInstance();
    }

    @AfterEach
    void unload() throws IOException {
        if (loader != null) {
            loader.close();
        }
    }

    @Test
    void aListenerDistinguishesTheTypes() {
        TopologyView old = new View("a");
        TopologyView now = new View("b");
        TopologyEventListener listener = (TopologyEventListener) consumer;

        listener.handleTopologyEvent(new TopologyEvent(Type.TOPOLOGY_INIT, null, old));
        listener.handleTopologyEvent(new TopologyEvent(Type.TOPOLOGY_CHANGING, old, null));
        listener.handleTopologyEvent(new TopologyEvent(Type.TOPOLOGY_CHANGED, old, now));
        listener.handleTopologyEvent(new TopologyEvent(Type.PROPERTIES_CHANGED, now, now));

        assertThat(consumer.toString().lines())
                .containsExactly("init a", "changing a", "changed a>b", "properties b>b");
    }

    @Test
    void aProviderAnswers() {
        assertThat(((PropertyProvider) consumer).getProperty("colour")).isEqualTo("value of colour");
    }

    @Test
    void aUserOfTheServiceReadsEverythingAndMakesEvents() {
        TopologyView view = new View("a");
        DiscoveryService service = () -> view;

        List<Object> answers = apply(service);

        int last = answers.size() - 1;
        assertThat(answers.subList(0, last))
                .isEqualTo(List.of(
                        true,
                        1,
                        1,
                        0,
                        "cluster",
                        "a",
                        "a",
                        true,
                        true,
                        "name of a",
                        1,
                        "org.apache.sling.instance.description",
                        "org.apache.sling.instance.endpoints",
                        "instance.properties",
                        "0 TOPOLOGY_INIT",
                        "1 TOPOLOGY_CHANGING",
                        "2 TOPOLOGY_CHANGED",
                        "3 PROPERTIES_CHANGED",
                        "refused"));
        assertThat(answers.get(last)).isInstanceOfSatisfying(TopologyEvent.class, event -> {
            assertThat(event.getType()).isSameAs(Type.TOPOLOGY_INIT);
            assertThat(event.getOldView()).isNull();
            assertThat(event.getNewView()).isSameAs(view);
        });
    }

    @SuppressWarnings("unchecked")
    private List<Object> apply(DiscoveryService service) {
        return ((Function<Object, List<Object>>) consumer).apply(service);
    }

    /** A topology of one instance. */
    private record View(String id) implements TopologyView {

        @Override
        public boolean isCurrent() {
            return true;
        }

        @Override
        public InstanceDescription getLocalInstance() {
            return new Instance(id);
        }

        @Override
        public Set<InstanceDescription> getInstances() {
            return Set.of(getLocalInstance());
        }

        @Override
        public Set<InstanceDescription> findInstances(InstanceFilter filter) {
            return getInstances().stream().filter(filter::accept).collect(Collectors.toSet());
        }

        @Override
        public Set<ClusterView> getClusterViews() {
            return Set.of(getLocalInstance().getClusterView());
        }
    }

    private record Cluster(InstanceDescription getLeader) implements ClusterView {

        @Override
        public String getId() {
            return "cluster";
        }

        @Override
        public List<InstanceDescription> getInstances() {
            return List.of(getLeader);
        }
    }

    private record Instance(String getSlingId) implements InstanceDescription {

        @Override
        public ClusterView getClusterView() {
            return new Cluster(this);
        }

        @Override
        public boolean isLeader() {
            return true;
        }

        @Override
        public boolean isLocal() {
            return true;
        }

        @Override
        public String getProperty(String name) {
            return getProperties().get(name);
        }

        @Override
        public Map<String, String> getProperties() {
            return Map.of(PROPERTY_NAME, "name of " + getSlingId);
        }
    }
}
