// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.osgi;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.connectors.endpoint.ConnectorReply;
import io.github.discoveryzk.connectors.endpoint.Whiteboard;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Dictionary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;

class ConnectorEndpointsTest {

    private static final String JAKARTA = "org.osgi.service.servlet.runtime.HttpServiceRuntime";
    private static final String JAVAX = "org.osgi.service.http.runtime.HttpServiceRuntime";

    private final Map<ServiceReference<?>, String> containers = new LinkedHashMap<>();
    private final Map<String, ServiceListener> listeners = new LinkedHashMap<>();
    private final List<String> registered = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private final ConnectorEndpoints endpoints =
            new ConnectorEndpoints(new Whiteboard(context(), request -> ConnectorReply.of(200), path -> {}));

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
            case "createFilter" -> null;
            case "addServiceListener" -> listeners.put((String) arguments[1], (ServiceListener) arguments[0]);
            case "removeServiceListener" -> listeners.values().remove(arguments[0]);
            case "getServiceReferences" -> containers.keySet().stream()
                    .filter(each -> containers.get(each).equals(arguments[0]))
                    .toArray(ServiceReference<?>[]::new);
            case "registerService" -> register(((Class<?>) arguments[0]).getName(), (Dictionary<?, ?>) arguments[2]);
            default -> throw new UnsupportedOperationException(method.toString());
        });
    }

    private ServiceRegistration<?> register(String type, Dictionary<?, ?> properties) {
        if (refused.contains(type)) {
            throw new IllegalStateException("refused");
        }
        registered.add(type);
        Object path = properties.get("osgi.http.whiteboard.context.path");
        assertThat(path == null ? properties.get("osgi.http.whiteboard.servlet.pattern") : path)
                .isEqualTo(path == null ? "/*" : "/libs/sling/topology");
        return proxy(ServiceRegistration.class, (self, method, arguments) -> {
            registered.remove(type);
            return null;
        });
    }

    private ServiceReference<?> appear(String type) {
        ServiceReference<?> reference = proxy(ServiceReference.class, (self, method, arguments) -> {
            throw new UnsupportedOperationException(method.toString());
        });
        containers.put(reference, type);
        change(ServiceEvent.REGISTERED, reference);
        return reference;
    }

    private void change(int event, ServiceReference<?> reference) {
        listeners.forEach((filter, listener) -> {
            if (filter.contains(containers.get(reference))) {
                listener.serviceChanged(new ServiceEvent(event, reference));
            }
        });
    }

    private void assertOffered(String... lines) {
        List<String> services = new ArrayList<>();
        for (String line : lines) {
            services.add("org.osgi.service." + (line.equals("javax") ? "http" : "servlet")
                    + ".context.ServletContextHelper");
            services.add(line + ".servlet.Servlet");
        }
        assertThat(registered).isEqualTo(services);
    }

    @Test
    void theServicesWaitForAContainerThatTakesThem() {
        endpoints.open();
        assertOffered();
        appear(JAVAX);
        assertOffered("javax");
        ServiceReference<?> first = appear(JAKARTA);
        appear(JAKARTA);
        assertOffered("javax", "jakarta");
        change(ServiceEvent.UNREGISTERING, first);
        assertOffered("javax", "jakarta");
    }

    @Test
    void closedEndpointsOfferNothingUntilTheyAreOpened() {
        appear(JAVAX);
        assertOffered();
        endpoints.open();
        endpoints.open();
        assertOffered("javax");
        endpoints.close();
        endpoints.close();
        assertOffered();
        endpoints.open();
        assertOffered("javax");
    }

    @Test
    void nothingIsLeftBehindWhenAServletIsRefused() {
        refused.add("jakarta.servlet.Servlet");
        appear(JAKARTA);
        endpoints.open();
        assertOffered();
        refused.clear();
        appear(JAKARTA);
        assertOffered("jakarta");
    }
}
