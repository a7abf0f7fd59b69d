// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Dictionary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.sling.discovery.base.connector.endpoint.ConnectorReply;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.service.http.HttpService;

class ConnectorEndpointsTest {

    private static final String JAKARTA = "org.osgi.service.servlet.runtime.HttpServiceRuntime";
    private static final String JAVAX = "org.osgi.service.http.runtime.HttpServiceRuntime";
    private static final String HTTP_SERVICE = "org.osgi.service.http.HttpService";

    private final Map<ServiceReference<?>, Object> containers = new LinkedHashMap<>();
    private final List<String> registered = new ArrayList<>();
    private final List<String> aliases = new ArrayList<>();
    private final List<Object> servlets = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private final List<ServiceReference<?>> used = new ArrayList<>();
    private ServiceListener listener = event -> {};
    private Throwable failure = new IllegalStateException();

    private final ConnectorEndpoints endpoints = new ConnectorEndpoints(
            context(),
            request -> {
                if (failure instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) failure;
            },
            path -> {});

    private static <T> T proxy(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> switch (method.getName()) {
                    case "equals" -> self == arguments[0];
                    case "hashCode" -> System.identityHashCode(self);
                    case "toString" -> type.getSimpleName();
                    default -> calls.invoke(self, method, arguments);
                }));
    }

    private BundleContext context() {
        return proxy(BundleContext.class, (self, method, arguments) -> switch (method.getName()) {
            case "addServiceListener" -> listener = (ServiceListener) arguments[0];
            case "removeServiceListener" -> listener = event -> {};
            case "getServiceReferences" -> containers.keySet().toArray(new ServiceReference<?>[0]);
            case "getService" -> use((ServiceReference<?>) arguments[0]);
            case "ungetService" -> used.remove(arguments[0]);
            case "registerService" -> register((Class<?>) arguments[0], arguments[1], (Dictionary<?, ?>) arguments[2]);
            default -> throw new UnsupportedOperationException(method.toString());
        });
    }

    private Object use(ServiceReference<?> reference) {
        Object service = containers.get(reference);
        if (service instanceof HttpService) {
            used.add(reference);
        }
        return service;
    }

    private ServiceRegistration<?> register(Class<?> type, Object service, Dictionary<?, ?> properties) {
        if (refused.contains(type.getName())) {
            throw new IllegalStateException("refused");
        }
        String name = type.getName();
        registered.add(name);
        Object path = properties.get("osgi.http.whiteboard.context.path");
        assertThat(path == null ? properties.get("osgi.http.whiteboard.servlet.pattern") : path)
                .isEqualTo(path == null ? "/*" : "/libs/sling/topology");
        servlets.add(service);
        return proxy(ServiceRegistration.class, (self, method, arguments) -> {
            registered.remove(name);
            return null;
        });
    }

    private ServiceReference<?> appear(String type) {
        return appear(type, null);
    }

    private static Bundle bundle(String... declared) {
        BundleCapability capability =
                proxy(BundleCapability.class, (self, method, arguments) -> Map.of("objectClass", List.of(declared)));
        BundleRevision revision = proxy(BundleRevision.class, (self, method, arguments) -> {
            assertThat(arguments).containsExactly("osgi.service");
            return List.of(capability);
        });
        return proxy(Bundle.class, (self, method, arguments) -> {
            assertThat(method.getName()).isEqualTo("adapt");
            return revision;
        });
    }

    private ServiceReference<?> appear(String type, Bundle container) {
        ServiceReference<?> reference =
                proxy(ServiceReference.class, (self, method, arguments) -> switch (method.getName()) {
                    case "getProperty" -> arguments[0].equals(Constants.OBJECTCLASS) ? new String[] {type} : null;
                    case "getBundle" -> container;
                    case "compareTo" -> self == arguments[0] ? 0 : 1;
                    default -> throw new UnsupportedOperationException(method.toString());
                });
        containers.put(reference, type.equals(HTTP_SERVICE) ? httpService() : new Object());
        listener.serviceChanged(new ServiceEvent(ServiceEvent.REGISTERED, reference));
        return reference;
    }

    private Object httpService() {
        return proxy(HttpService.class, (self, method, arguments) -> {
            if (refused.contains(method.getName())) {
                throw new IllegalArgumentException("refused");
            }
            switch (method.getName()) {
                case "registerServlet" -> aliases.add((String) arguments[0]);
                case "unregister" -> aliases.remove((String) arguments[0]);
                default -> throw new UnsupportedOperationException(method.toString());
            }
            return null;
        });
    }

    private void disappear(ServiceReference<?> reference) {
        containers.remove(reference);
        listener.serviceChanged(new ServiceEvent(ServiceEvent.UNREGISTERING, reference));
    }

    private void assertOffered(String... types) {
        assertThat(registered).containsExactly(types);
        assertThat(aliases).isEmpty();
    }

    private static String[] services(String line, String helper) {
        return new String[] {"org.osgi.service." + helper + ".context.ServletContextHelper", line + ".servlet.Servlet"};
    }

    @Test
    void oneLineIsOfferedAtATime() {
        endpoints.open();
        assertOffered();
        ServiceReference<?> old = appear(HTTP_SERVICE);
        assertThat(aliases).containsExactly("/libs/sling/topology");
        assertThat(registered).isEmpty();
        ServiceReference<?> javax = appear(JAVAX);
        assertOffered(services("javax", "http"));
        ServiceReference<?> jakarta = appear(JAKARTA);
        assertOffered(services("jakarta", "servlet"));
        disappear(javax);
        assertOffered(services("jakarta", "servlet"));
        disappear(jakarta);
        assertThat(registered).isEmpty();
        assertThat(aliases).containsExactly("/libs/sling/topology");
        disappear(old);
        assertOffered();
    }

    /** While a container starts or stops, it has some of its services only. */
    @Test
    void aContainerIsOfferedItsBestLineOnly() {
        endpoints.open();
        Bundle container = bundle(JAVAX, HTTP_SERVICE, JAKARTA);
        appear(HTTP_SERVICE, container);
        appear(JAVAX, container);
        assertOffered();
        ServiceReference<?> best = appear(JAKARTA, container);
        assertOffered(services("jakarta", "servlet"));
        disappear(best);
        assertOffered();
        appear(HTTP_SERVICE, bundle("com.example.Other"));
        assertThat(aliases).containsExactly("/libs/sling/topology");
    }

    @Test
    void aSecondContainerOfALineChangesNothing() {
        ServiceReference<?> first = appear(JAKARTA);
        endpoints.open();
        appear(JAKARTA);
        disappear(first);
        assertOffered(services("jakarta", "servlet"));
        assertThat(servlets).hasSize(2);
    }

    @Test
    void anotherHttpServiceTakesOver() {
        ServiceReference<?> first = appear(HTTP_SERVICE);
        endpoints.open();
        appear(HTTP_SERVICE);
        disappear(first);
        assertThat(aliases).containsExactly("/libs/sling/topology");
    }

    @Test
    void closedEndpointsOfferNothingUntilTheyAreOpened() {
        appear(JAVAX);
        assertOffered();
        endpoints.open();
        endpoints.open();
        assertOffered(services("javax", "http"));
        endpoints.close();
        endpoints.close();
        assertOffered();
        endpoints.open();
        assertOffered(services("javax", "http"));
    }

    @Test
    void aContainerThatRefusesTheServletIsNotAsked() {
        refused.add("javax.servlet.Servlet");
        appear(JAVAX);
        endpoints.open();
        assertOffered();
        appear(JAKARTA);
        assertOffered(services("jakarta", "servlet"));
    }

    @Test
    void nothingIsLeftBehindWhenAServletIsRefused() {
        refused.add("jakarta.servlet.Servlet");
        appear(JAKARTA);
        endpoints.open();
        assertOffered();
    }

    @Test
    void anHttpServiceIsUsedAsLongAsItHasTheServlet() {
        ServiceReference<?> service = appear(HTTP_SERVICE);
        endpoints.open();
        assertThat(used).containsExactly(service);
        endpoints.close();
        assertThat(used).isEmpty();
    }

    @Test
    void anHttpServiceThatRefusesIsNotUsed() {
        refused.add("registerServlet");
        appear(HTTP_SERVICE);
        endpoints.open();
        assertThat(used).isEmpty();
    }

    @Test
    void anHttpServiceThatFailsToRemoveTheServletIsNotUsedAnyMore() {
        appear(HTTP_SERVICE);
        endpoints.open();
        refused.add("unregister");
        endpoints.close();
        assertThat(used).isEmpty();
    }

    @Test
    void aFailureTellsThePeerNothing() {
        for (Throwable each : List.of(new IllegalArgumentException("as the test wants it"), new StackOverflowError())) {
            failure = each;
            assertThat(endpoints.answer(null)).usingRecursiveComparison().isEqualTo(ConnectorReply.of(500));
        }
    }
}
