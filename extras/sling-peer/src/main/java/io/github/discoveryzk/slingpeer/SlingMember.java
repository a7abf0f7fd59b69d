// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.slingpeer;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.servlet.Servlet;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.sling.api.resource.ResourceResolverFactory;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.base.commons.ClusterViewService;
import org.apache.sling.discovery.base.commons.UndefinedClusterViewException;
import org.apache.sling.discovery.base.connectors.BaseConfig;
import org.apache.sling.discovery.base.connectors.announcement.AnnouncementRegistryImpl;
import org.apache.sling.discovery.base.connectors.ping.ConnectorRegistryImpl;
import org.apache.sling.discovery.base.connectors.ping.TopologyConnectorClientInformation;
import org.apache.sling.discovery.base.connectors.ping.TopologyConnectorServlet;
import org.apache.sling.discovery.commons.providers.spi.LocalClusterView;
import org.apache.sling.settings.SlingSettingsService;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.HandlerWrapper;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.osgi.service.component.ComponentContext;
import org.osgi.service.http.HttpService;

/** An instance of Sling, as far as connectors need one: Sling's registries, client and servlet, and an HTTP server. */
final class SlingMember implements ClusterViewService {

    private final String id;
    private final SlingCluster cluster;
    private final AnnouncementRegistryImpl announcements;
    private final ConnectorRegistryImpl connectors;
    private final TopologyConnectorServlet servlet = new TopologyConnectorServlet();
    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);
    private final ServletContextHandler servlets = new ServletContextHandler();
    private final List<Map<String, ?>> requests = new CopyOnWriteArrayList<>();

    SlingMember(String id, SlingCluster cluster, Map<String, ?> values, ResourceResolverFactory repository)
            throws Exception {
        this.id = id;
        this.cluster = cluster;
        BaseConfig config = PeerConfig.of(values);
        announcements = AnnouncementRegistryImpl.testConstructorAndActivate(repository, settings(), config);
        connectors = (ConnectorRegistryImpl) ConnectorRegistryImpl.testConstructor(announcements, config);
        set("announcementRegistry", announcements);
        set("clusterViewService", this);
        set("httpService", httpService());
        set("config", config);
        servlets.setContextPath((String) Objects.requireNonNullElse(values.get("contextPath"), "/"));
        call(servlet, "activate", new Class<?>[] {ComponentContext.class}, (Object) null);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(assuming((String) values.get("assumedCharset"), servlets));
        server.setRequestLog((RequestLog) this::log);
        server.start();
    }

    String id() {
        return id;
    }

    int port() {
        return connector.getLocalPort();
    }

    @Override
    public String getSlingId() {
        return id;
    }

    @Override
    public LocalClusterView getLocalClusterView() throws UndefinedClusterViewException {
        return cluster.view(id);
    }

    /** Opens a connector, which pings immediately. */
    void connect(String url) throws IOException {
        connectors.registerOutgoingConnector(this, URI.create(url).toURL());
    }

    /** Closes all connectors. */
    void disconnect() {
        connectors.listOutgoingConnectors().forEach(each -> connectors.unregisterOutgoingConnector(each.getId()));
    }

    /** Pings as each check of the view does; forced as after each event. */
    void ping(boolean force) {
        connectors.pingOutgoingConnectors(force);
    }

    /** Removes what has expired, as each check of the view does, and returns what is left. */
    Map<String, ?> look() throws UndefinedClusterViewException {
        announcements.checkExpiredAnnouncements();
        List<Map<String, ?>> outgoing = new ArrayList<>();
        for (TopologyConnectorClientInformation each : connectors.listOutgoingConnectors()) {
            outgoing.add(map(
                    "remote", each.getRemoteSlingId(),
                    "details", each.getStatusDetails(),
                    "status", each.getStatusCode(),
                    "connected", each.isConnected(),
                    "loop", each.representsLoop(),
                    "stopped", each.isAutoStopped(),
                    "nextPing", each.getNextPingDue()));
        }
        List<Map<String, ?>> instances = new ArrayList<>();
        for (InstanceDescription each : announcements.listInstances(getLocalClusterView())) {
            instances.add(map(
                    "id", each.getSlingId(),
                    "cluster", each.getClusterView().getId(),
                    "leader", each.isLeader(),
                    "properties", new TreeMap<>(each.getProperties())));
        }
        return map("connectors", outgoing, "instances", instances, "requests", List.copyOf(requests));
    }

    /** Returns a map of names, each followed by its value, which may be null. */
    private static Map<String, ?> map(Object... pairs) {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }

    /** Deactivates the components, and stops the server. */
    void close() {
        try {
            call(connectors, "deactivate", new Class<?>[0]);
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("member " + id + " does not stop", e);
        }
    }

    /** Servers differ in the charset that they assume; the servlet specification says ISO-8859-1. */
    private static Handler assuming(String charset, Handler handler) {
        if (charset == null) {
            return handler;
        }
        HandlerWrapper wrapper = new HandlerWrapper() {
            @Override
            public void handle(String target, Request jetty, HttpServletRequest request, HttpServletResponse response)
                    throws IOException, ServletException {
                String type = request.getContentType();
                if (type != null && !type.contains("charset")) {
                    request.setCharacterEncoding(charset);
                }
                super.handle(target, jetty, request, response);
            }
        };
        wrapper.setHandler(handler);
        return wrapper;
    }

    private void log(Request request, Response response) {
        requests.add(map(
                "encoding", Objects.requireNonNullElse(request.getHeader("Content-Encoding"), ""),
                "type", Objects.requireNonNullElse(request.getHeader("Content-Type"), ""),
                "signed", request.getHeader("X-SlingTopologyTrust") != null,
                "method", request.getMethod(),
                "uri", request.getRequestURI(),
                "status", response.getCommittedMetaData().getStatus()));
    }

    private SlingSettingsService settings() {
        return (SlingSettingsService) Proxy.newProxyInstance(
                SlingMember.class.getClassLoader(),
                new Class<?>[] {SlingSettingsService.class},
                (proxy, method, any) -> {
                    if (method.getName().equals("getSlingId")) {
                        return id;
                    }
                    throw new UnsupportedOperationException(method.toString());
                });
    }

    /** Returns a service that puts servlets into the server of this member. */
    private HttpService httpService() {
        return (HttpService) Proxy.newProxyInstance(
                SlingMember.class.getClassLoader(), new Class<?>[] {HttpService.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "registerServlet" -> servlets.addServlet(
                                new ServletHolder((Servlet) arguments[1]), arguments[0] + "/*");
                        default -> throw new UnsupportedOperationException(method.toString());
                    }
                    return null;
                });
    }

    private void set(String reference, Object service) throws ReflectiveOperationException {
        Field field = TopologyConnectorServlet.class.getDeclaredField(reference);
        field.setAccessible(true);
        field.set(servlet, service);
    }

    /** Calls a method that the component runtime would call. */
    private static void call(Object component, String name, Class<?>[] types, Object... arguments)
            throws ReflectiveOperationException {
        Method method = component.getClass().getDeclaredMethod(name, types);
        method.setAccessible(true);
        try {
            method.invoke(component, arguments);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(component + " refuses " + name, e.getCause());
        }
    }
}
