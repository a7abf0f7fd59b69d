// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyPluginTest {
    private final TopologyPlugin plugin = new TopologyPlugin();
    private final StringWriter body = new StringWriter();
    private final Map<String, String> headers = new HashMap<>();
    private int status = 200;

    @Test
    void theLabelAloneIsTheOverview() throws Exception {
        bind(Reports.settled(3));
        get("/topology", null);
        assertThat(status).isEqualTo(200);
        assertThat(body.toString()).contains("3 instances", "/console/topology/" + Reports.id(1));
        assertThat(headers)
                .containsEntry("Cache-Control", "no-store")
                .containsEntry("X-Content-Type-Options", "nosniff");
    }

    @Test
    void anIdAfterTheLabelIsThePageOfThatInstance() throws Exception {
        bind(Reports.settled(3));
        get("/topology/" + Reports.id(3), null);
        assertThat(status).isEqualTo(200);
        assertThat(body.toString()).contains("Properties", "node 3").doesNotContain("node 1");
    }

    @Test
    void anIdThatCannotStandInAPathMayStandInTheQuery() throws Exception {
        bind(Reports.hostile("a/b.c"));
        get("/topology", "a/b.c");
        assertThat(status).isEqualTo(200);
        assertThat(body.toString()).contains("Instance <bdi>a/b.c</bdi>");
    }

    @Test
    void aDotInThePathIsSentToWhereTheConsoleKeepsItsFrame() throws Exception {
        bind(Reports.hostile("host.example"));
        get("/topology/host.example", null);
        assertThat(headers).containsEntry("Location", "/console/topology?instance=host%2Eexample");
    }

    @Test
    void anUnknownInstanceIsNotFound() throws Exception {
        bind(Reports.settled(3));
        get("/topology/nobody", null);
        assertThat(status).isEqualTo(404);
        assertThat(body.toString()).contains("No instance <bdi>nobody</bdi> in the view");
    }

    @Test
    void withoutTheServiceThePageSaysSo() throws Exception {
        get("/topology", null);
        assertThat(status).isEqualTo(200);
        assertThat(body.toString()).contains("The discovery service is not active");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "get"})
    void otherMethodsAreNotAllowed(String method) throws Exception {
        bind(Reports.settled(3));
        send(method, "/topology", null);
        assertThat(status).isEqualTo(405);
        assertThat(headers).containsEntry("Allow", "GET, POST");
        assertThat(body.toString()).isEmpty();
    }

    private void get(String path, String instance) throws IOException {
        send("GET", path, instance);
    }

    private void send(String method, String path, String instance) throws IOException {
        plugin.service(request(method, path, instance), response());
    }

    private void bind(TopologyReport report) throws ReflectiveOperationException {
        Field field = TopologyPlugin.class.getDeclaredField("reporter");
        field.setAccessible(true);
        field.set(plugin, new FixedReporter(report));
    }

    private static HttpServletRequest request(String method, String path, String instance) {
        return proxy(HttpServletRequest.class, (name, arguments) -> switch (name) {
            case "getMethod" -> method;
            case "getPathInfo" -> path;
            case "getParameter" -> "instance".equals(arguments[0]) ? instance : null;
            case "getAttribute" -> "felix.webconsole.appRoot".equals(arguments[0]) ? "/console" : null;
            default -> throw new UnsupportedOperationException(name);
        });
    }

    private HttpServletResponse response() {
        return proxy(HttpServletResponse.class, (name, arguments) -> {
            switch (name) {
                case "setStatus", "sendError" -> status = (Integer) arguments[0];
                case "setHeader" -> headers.put((String) arguments[0], (String) arguments[1]);
                case "setContentType" -> headers.put("Content-Type", (String) arguments[0]);
                case "sendRedirect" -> headers.put("Location", (String) arguments[0]);
                case "getWriter" -> {
                    return new PrintWriter(body);
                }
                default -> throw new UnsupportedOperationException(name);
            }
            return null;
        });
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> call.answer(method.getName(), arguments)));
    }

    private interface Call {
        Object answer(String name, Object[] arguments);
    }
}
