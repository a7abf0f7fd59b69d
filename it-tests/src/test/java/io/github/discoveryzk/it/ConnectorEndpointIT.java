// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it;

import static io.github.discoveryzk.it.outside.Limit.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.it.containers.ConsoleLine;
import io.github.discoveryzk.it.containers.Document;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Hashtable;
import java.util.Map;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;

/** The endpoint of connectors as a peer reaches it. */
public class ConnectorEndpointIT extends EndpointTest {

    private static final String PATH = SERVLET + "/connector.peer.json";
    private static final int TEAPOT = 418;
    private static final String ANNOUNCEMENT = "{\"ownerId\":\"peer\",\"protocolVersion\":1,\"created\":1767225600000,"
            + "\"inherited\":false,\"serverInfo\":\"peer.example:8080\",\"localClusterView\":{\"id\":\"elsewhere\","
            + "\"instances\":[{\"slingId\":\"peer\",\"isLeader\":true,\"cluster\":\"elsewhere\",\"properties\":{}}]},"
            + "\"topologyAnnouncements\":[]}";

    @Before
    public void settle() {
        container().untilCurrent();
        untilStatus(404);
    }

    @After
    public void checkAndTurnOff() {
        container().delete(CONNECTORS);
        untilOff();
        // Jetty may be stopped while its thread has sent a reply but not finished with it.
        assertThat(container().errors()).allMatch(error -> error.contains("Close SendCallback"));
    }

    private void turnOn(Map<String, ?> configuration) {
        container().configure(CONNECTORS, configuration);
        untilStatus(200);
    }

    private void untilOff() {
        untilAsserted(() -> assertThat(isOn()).isFalse());
        untilStatus(404);
    }

    private void untilStatus(int status) {
        untilAsserted(() -> assertThat(status()).isEqualTo(status));
    }

    /** Returns 0 while no server listens. */
    private int status() throws InterruptedException {
        try {
            return put().statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    private HttpResponse<String> put() throws IOException, InterruptedException {
        return send("PUT", PATH, ANNOUNCEMENT);
    }

    /** Jetty may close the connection of a request that was refused before its body was read, so each request has its own. */
    private HttpResponse<String> send(String method, String path, String body)
            throws IOException, InterruptedException {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(
                        HttpRequest.newBuilder(container().address(path))
                                .method(method, HttpRequest.BodyPublishers.ofString(body))
                                .header("Content-Type", "application/json")
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Test
    public void withoutAConfigurationThereIsNoEndpoint() {
        assertThat(isOn()).isFalse();
        assertThat(container().finds("(osgi.http.whiteboard.servlet.name=Topology connectors)"))
                .isFalse();
    }

    @Test
    public void aPeerReceivesTheAnnouncementOfThisCluster() throws Exception {
        turnOn(Map.of());
        HttpResponse<String> reply = put();
        assertThat(reply.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type ->
                        assertThat(type.replace(" ", "")).isEqualToIgnoringCase("application/json;charset=UTF-8"));
        assertThat(reply.body())
                .contains("\"ownerId\":\"" + ID + "\"")
                .doesNotContain("\"loop\":true")
                .containsOnlyOnce("\"slingId\":\"" + ID + "\"");
        assertThat(container().report().connectors().incoming()).singleElement().satisfies(incoming -> {
            assertThat(incoming.ownerId()).isEqualTo("peer");
            assertThat(incoming.clusterId()).isEqualTo("elsewhere");
        });
        untilAsserted(() -> assertThat(container().topology().getClusterViews())
                .extracting("id")
                .contains("elsewhere"));
        assertThat(container().report().connectors().endpoint()).contains(SERVLET);
        assertThat(send("DELETE", PATH, "").statusCode()).isEqualTo(200);
        assertThat(send("GET", PATH, "").statusCode()).isEqualTo(405);
    }

    @Test
    public void aMissingKeyClosesTheEndpoint() {
        turnOn(Map.of());
        container().configure(CONNECTORS, Map.of("hmacEnabled", true));
        untilOff();
        container().configure(CONNECTORS, Map.of("hmacEnabled", true, "sharedKey", "s3cret"));
        untilAsserted(() -> {
            assertThat(isOn()).isTrue();
            assertThat(put().statusCode()).isEqualTo(404);
        });
    }

    @Test
    public void aPeerOutsideTheAllowListIsRefused() {
        String network = Document.block("docs/connectors.md", "topologyConnectorWhitelist")
                .replaceAll("(?s).*\"(.*)\".*", "$1");
        turnOn(Map.of("topologyConnectorWhitelist", new String[] {network.replace("10.1.2.", "127.0.0.")}));
        container().configure(CONNECTORS, Map.of("topologyConnectorWhitelist", new String[] {network}));
        untilAsserted(() -> {
            assertThat(isOn()).isTrue();
            assertThat(put().statusCode()).isEqualTo(404);
        });
    }

    /** Sling's own servlet takes all requests at the root. */
    @Test
    public void anApplicationAtTheRootDoesNotTakeThem() throws Exception {
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
        BundleContext api =
                container().bundle("org.apache.felix.http.servlet-api").getBundleContext();
        String type = line() == ConsoleLine.JAKARTA ? "jakarta.servlet.Servlet" : "javax.servlet.Servlet";
        Class<?> servlet = api.getBundle().loadClass(type);
        Method setStatus = api.getBundle()
                .loadClass(type.replace("Servlet", "http.HttpServletResponse"))
                .getMethod("setStatus", int.class);
        Object application = Proxy.newProxyInstance(
                servlet.getClassLoader(), new Class<?>[] {servlet}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "service" -> setStatus.invoke(arguments[1], TEAPOT);
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
    public void theHttpServiceMayComeAndGo() throws Exception {
        turnOn(Map.of());
        Bundle service = container()
                .bundle(
                        line() == ConsoleLine.JAKARTA
                                ? "org.apache.felix.http.jetty12"
                                : "org.apache.felix.http.jetty");
        service.stop();
        try {
            untilStatus(0);
            assertThat(container().topology().isCurrent()).isTrue();
            assertThat(container().report().connectors().endpoint()).isEmpty();
        } finally {
            service.start();
        }
        untilStatus(200);
    }
}
