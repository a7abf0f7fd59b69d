// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.containers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Hashtable;
import java.util.Map;
import org.apache.sling.discovery.it.outside.Limit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;

/** The endpoint of connectors in the HTTP service of each line, as a peer reaches it. */
@ParameterizedClass
@MethodSource("org.apache.sling.discovery.it.containers.ConsoleLine#tested")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConnectorEndpointIT {

    private static final String CONNECTORS = "org.apache.sling.discovery.base.connectors";
    private static final String PATH = "/libs/sling/topology/connector.peer.json";
    private static final int TEAPOT = 418;
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String ANNOUNCEMENT = "{\"ownerId\":\"peer\",\"protocolVersion\":1,\"created\":1767225600000,"
            + "\"inherited\":false,\"serverInfo\":\"peer.example:8080\",\"localClusterView\":{\"id\":\"elsewhere\","
            + "\"instances\":[{\"slingId\":\"peer\",\"isLeader\":true,\"cluster\":\"elsewhere\",\"properties\":{}}]},"
            + "\"topologyAnnouncements\":[]}";

    @Parameter
    private ConsoleLine line;

    private final HttpClient peer =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private EmbeddedContainer container;

    @BeforeParameterizedClassInvocation
    void start() throws Exception {
        container = EmbeddedContainer.start("connectors-" + line.name());
        container.install(line.http());
        container.requireActive();
    }

    @AfterParameterizedClassInvocation
    void stop() {
        container.close();
    }

    @BeforeEach
    void settle() {
        Limit.untilAsserted(() -> assertThat(container.report("state")).isEqualTo("SETTLED"));
        untilStatus(404);
    }

    @AfterEach
    void checkAndTurnOff() throws Exception {
        container.deleteConfiguration(CONNECTORS);
        untilOff();
        assertThat(container.errors()).isEmpty();
    }

    private void turnOn(Map<String, ?> configuration) throws Exception {
        container.configure(CONNECTORS, configuration);
        untilStatus(200);
    }

    private void untilStatus(int status) {
        Limit.untilAsserted(() -> assertThat(status()).isEqualTo(status));
    }

    /** Returns 0 while no server listens. */
    private int status() throws InterruptedException {
        try {
            return put().statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    private void untilOff() {
        Limit.untilAsserted(
                () -> assertThat(container.services("(osgi.http.whiteboard.context.path=/libs/sling/topology)"))
                        .isZero());
        untilStatus(404);
    }

    private HttpResponse<String> put() throws IOException, InterruptedException {
        return send("PUT", PATH, ANNOUNCEMENT);
    }

    private HttpResponse<String> send(String method, String path, String body)
            throws IOException, InterruptedException {
        return peer.send(
                HttpRequest.newBuilder(container.address(path))
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .header("Content-Type", "application/json")
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void withoutAConfigurationThereIsNoEndpoint() throws Exception {
        assertThat(container.services("(osgi.http.whiteboard.context.path=/libs/sling/topology)"))
                .isZero();
        assertThat(container.services("(osgi.http.whiteboard.servlet.name=Topology connectors)"))
                .isZero();
        assertThat(put().statusCode()).isEqualTo(404);
    }

    @Test
    void aPeerReceivesTheAnnouncementOfThisCluster() throws Exception {
        turnOn(Map.of());
        HttpResponse<String> reply = put();
        assertThat(reply.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type ->
                        assertThat(type.replace(" ", "")).isEqualToIgnoringCase("application/json;charset=UTF-8"));
        JsonNode announcement = JSON.readTree(reply.body());
        assertThat(announcement.at("/ownerId").asText()).isEqualTo(container.id());
        assertThat(announcement.at("/loop").asBoolean()).isFalse();
        assertThat(announcement.at("/localClusterView/instances/0/slingId").asText())
                .isEqualTo(container.id());
        assertThat(announcement.at("/localClusterView/instances")).hasSize(1);
        assertThat(container.report("connectors", "incoming")).contains("ownerId=peer", "clusterId=elsewhere");
        Limit.untilAsserted(() -> assertThat(container.report("clusters")).contains("id=elsewhere, local=false"));
        assertThat(container.report("connectors", "endpoint")).isEqualTo("Optional[/libs/sling/topology]");
        assertThat(send("DELETE", PATH, "").statusCode()).isEqualTo(200);
        assertThat(send("GET", PATH, "").statusCode()).isEqualTo(405);
    }

    @Test
    void aPeerThatIsNotAllowedFindsNothing() throws Exception {
        turnOn(Map.of());
        container.configure(CONNECTORS, Map.of("topologyConnectorWhitelist", new String[] {"10.0.0.1"}));
        untilStatus(404);
        assertThat(put().body()).isEmpty();
        assertThat(container.services("(osgi.http.whiteboard.context.path=/libs/sling/topology)"))
                .isEqualTo(1);
        turnOn(Map.of("topologyConnectorWhitelist", new String[] {"127.0.0.0/8"}));
    }

    @Test
    void aMissingKeyClosesTheEndpoint() throws Exception {
        turnOn(Map.of());
        container.configure(CONNECTORS, Map.of("hmacEnabled", true));
        untilOff();
        container.configure(CONNECTORS, Map.of("hmacEnabled", true, "sharedKey", "s3cret"));
        Limit.untilAsserted(() -> assertThat(put()).satisfies(reply -> {
            assertThat(reply.statusCode()).isEqualTo(404);
            assertThat(reply.body()).isEmpty();
        }));
    }

    /** Sling's own servlet takes all requests at the root. */
    @Test
    void anApplicationAtTheRootDoesNotTakeThem() throws Exception {
        ServiceRegistration<?> application = registerApplication();
        try {
            untilStatus(TEAPOT);
            turnOn(Map.of());
            assertThat(send("PUT", "/libs/sling/other", "").statusCode()).isEqualTo(TEAPOT);
        } finally {
            application.unregister();
        }
        assertThat(put().statusCode()).isEqualTo(200);
    }

    private ServiceRegistration<?> registerApplication() throws Exception {
        BundleContext api = container.contextOf(line.http().get(0));
        String type = line == ConsoleLine.JAKARTA ? "jakarta.servlet.Servlet" : "javax.servlet.Servlet";
        Class<?> servlet = api.getBundle().loadClass(type);
        Object application = Proxy.newProxyInstance(
                servlet.getClassLoader(), new Class<?>[] {servlet}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "service" -> servlet.getClassLoader()
                                .loadClass(type.replace("Servlet", "http.HttpServletResponse"))
                                .getMethod("setStatus", int.class)
                                .invoke(arguments[1], TEAPOT);
                        case "hashCode" -> {
                            return System.identityHashCode(proxy);
                        }
                        case "equals" -> {
                            return proxy == arguments[0];
                        }
                        default -> {}
                    }
                    return null;
                });
        return api.registerService(
                type,
                application,
                new Hashtable<>(Map.of(
                        "osgi.http.whiteboard.servlet.pattern", "/*", Constants.SERVICE_RANKING, Integer.MAX_VALUE)));
    }

    @Test
    void theHttpServiceMayComeAndGo() throws Exception {
        turnOn(Map.of());
        String service = line.http().get(line.http().size() - 1);
        container.stopBundle(service);
        try {
            untilStatus(0);
            assertThat(container.report("state")).isEqualTo("SETTLED");
            assertThat(container.report("connectors", "endpoint")).isEqualTo("Optional.empty");
        } finally {
            container.startBundle(service);
        }
        untilStatus(200);
    }
}
