// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.apache.sling.discovery.TopologyEvent.Type.PROPERTIES_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.containers.Document;
import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.report.ConnectorReport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.sling.discovery.DiscoveryService;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.TopologyView;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.osgi.framework.Bundle;

/** The configuration of connectors comes, changes and goes while the instance runs, in a container without HTTP. */
public class ConnectorConfigurationIT extends ContainerTest {

    private static final String CONNECTORS = "io.github.discoveryzk.connectors";
    private static final String OFF = "Connectors stay off because of the configuration " + CONNECTORS;

    private final Recorder recorder = new Recorder();

    @Before
    public void settle() {
        untilAsserted(() ->
                assertThat(container().offers(LeaderLease.class.getName())).isTrue());
        container().untilCurrent();
        container().register(recorder);
        recorder.awaitEvents(TOPOLOGY_INIT);
        assertThat(container().report().connectors()).isEqualTo(ConnectorReport.NONE);
    }

    @After
    public void remove() {
        container().delete(CONNECTORS);
        untilAsserted(() -> assertThat(container().report().problems()).isEmpty());
    }

    @Test
    public void connectorsComeChangeAndGoWithTheirConfiguration() throws IOException {
        DiscoveryService service = container().discovery();
        TopologyView view = container().topology();
        LeaderLease lease = lease();

        container().configure(CONNECTORS, Map.of("soTimeout", "long"));
        untilProblem("The value 'long' of soTimeout in the configuration " + CONNECTORS);
        try (ServerSocket first = listen();
                ServerSocket second = listen()) {
            container().configure(CONNECTORS, Map.of("topologyConnectorUrls", new String[] {url(first)}));
            assertPing(first);
            assertThat(container().report().problems()).isEmpty();
            container().configure(CONNECTORS, Map.of("topologyConnectorUrls", url(second)));
            assertPing(second);
            assertThat(container().report().connectors().outgoing())
                    .singleElement()
                    .satisfies(only -> assertThat(only.urls()).containsExactly(url(second)));
            assertThat(container().report().connectors().endpoint()).isEmpty();
        }
        container().configure(CONNECTORS, Map.of("hmacEnabled", true));
        untilProblem(OFF);
        untilAsserted(() -> assertThat(container().report().connectors()).isEqualTo(ConnectorReport.NONE));
        // The key that was missing turns them on.
        try (ServerSocket peer = listen()) {
            container()
                    .configure(
                            CONNECTORS,
                            Map.of("topologyConnectorUrls", url(peer), "hmacEnabled", true, "sharedKey", "k3y"));
            assertPing(peer);
            assertThat(container().report().problems()).isEmpty();
            assertThat(container().finds("(sharedKey=*)"))
                    .as("a service tells the shared key")
                    .isFalse();
        }
        container().delete(CONNECTORS);
        untilAsserted(() -> assertThat(container().report().problems()).isEmpty());

        assertThat(container().discovery()).isSameAs(service);
        assertThat(container().topology()).isSameAs(view);
        assertThat(lease()).isSameAs(lease);
        // An event that it might have caused would have come before this.
        container()
                .register(PropertyProvider.class, name -> "1", Map.of(PropertyProvider.PROPERTY_PROPERTIES, "marker"));
        recorder.awaitEvents(TOPOLOGY_INIT, PROPERTIES_CHANGED);
    }

    @Test
    public void theBundleOfConnectorsComesAndGoesWhileTheInstanceStays() throws Exception {
        DiscoveryService service = container().discovery();
        TopologyView view = container().topology();
        try (ServerSocket peer = listen()) {
            container().configure(CONNECTORS, Map.of("topologyConnectorUrls", url(peer)));
            assertPing(peer);
            Bundle connectors = container().bundle(CONNECTORS);
            connectors.stop();
            untilAsserted(() -> assertThat(container().report().connectors()).isEqualTo(ConnectorReport.NONE));
            assertThat(container().discovery()).isSameAs(service);
            connectors.start();
            assertPing(peer);
        }
        assertThat(container().topology()).isSameAs(view);
    }

    private LeaderLease lease() {
        return container().ask(LeaderLease.class, same -> same);
    }

    private static ServerSocket listen() throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        server.setSoTimeout((int) Limit.millis());
        return server;
    }

    private static String url(ServerSocket server) {
        return "http://127.0.0.1:" + server.getLocalPort() + "/libs/sling/topology/connector";
    }

    private static void assertPing(ServerSocket server) throws IOException {
        try (Socket ping = server.accept()) {
            assertThat(new BufferedReader(new InputStreamReader(ping.getInputStream(), StandardCharsets.US_ASCII))
                            .readLine())
                    .isEqualTo("PUT /libs/sling/topology/connector.container.json HTTP/1.1");
        }
    }

    /** The port of the first URL is closed, so the ping goes to the second. */
    @Test
    public void theExampleOfTheDocumentHasAFallBack() throws IOException {
        int closed;
        try (ServerSocket first = listen()) {
            closed = first.getLocalPort();
        }
        try (ServerSocket peer = listen()) {
            String urls = Document.block("docs/connectors.md", "topologyConnectorUrls")
                    .replaceAll("(?s).*\"(.*)\".*", "$1")
                    .replace("b1.example:8080", "127.0.0.1:" + closed)
                    .replace("b2.example:8080", "127.0.0.1:" + peer.getLocalPort());
            container().configure(CONNECTORS, Map.of("topologyConnectorUrls", new String[] {urls}));
            assertPing(peer);
        }
    }

    private void untilProblem(String sentence) {
        untilAsserted(() -> assertThat(container().report().problems())
                .singleElement()
                .asString()
                .startsWith(sentence));
    }
}
