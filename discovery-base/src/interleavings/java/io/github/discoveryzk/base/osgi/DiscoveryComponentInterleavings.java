// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.base.Crew;
import io.github.discoveryzk.spi.ClusterBackend;
import io.github.discoveryzk.spi.ClusterStore;
import java.io.File;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.sling.discovery.PropertyProvider;
import org.apache.sling.discovery.TopologyEventListener;
import org.junit.jupiter.api.extension.ExtendWith;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.FrayTest;

/**
 * The component is deactivated by one thread while another creates the next one, which closes it if it was dropped, and a third registers
 * and unregisters a service. The store never answers.
 */
@ExtendWith(FrayTestExtension.class)
class DiscoveryComponentInterleavings {

    /** A service that each tracker can take. */
    private interface Listening extends TopologyEventListener, PropertyProvider {}

    /** The stores, services and trackers that have not ended. */
    private final List<Object> open = new CopyOnWriteArrayList<>();

    private final BundleContext context = proxy(BundleContext.class, (proxy, method, arguments) -> switch (
            method.getName()) {
        case "getProperty" -> "a";
        case "getDataFile" -> new File("/dev/null/none");
        case "getBundle" -> proxy(Bundle.class, (bundle, loading, type) -> {
            throw new ClassNotFoundException();
        });
        case "registerService" -> opened(ServiceRegistration.class, "unregister");
        case "ungetService" -> true;
        case "getService" -> proxy(Listening.class, (service, called, none) -> null);
        case "addServiceListener" -> open.add(arguments[0]) ? null : null;
        case "removeServiceListener" -> open.remove(arguments[0]) ? null : null;
        default -> null;
    });

    private final ClusterBackend backend = proxy(ClusterBackend.class, (proxy, method, arguments) -> switch (
            method.getName()) {
        case "newStore" -> opened(ClusterStore.class, "close");
        case "sessionTimeoutMillis" -> 20_000;
        case "address" -> "nowhere";
        default -> List.of();
    });

    private static <T> T proxy(Class<T> type, InvocationHandler answers) {
        InvocationHandler complete = (proxy, method, arguments) -> switch (method.getName()) {
            case "hashCode" -> 1;
            case "equals" -> proxy == arguments[0];
            default -> answers.invoke(proxy, method, arguments);
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, complete));
    }

    private <T> T opened(Class<T> type, String end) {
        Object it = new Object();
        open.add(it);
        return proxy(type, (proxy, method, arguments) -> {
            if (method.getName().equals(end) && !open.remove(it)) {
                throw new AssertionError(end + " once more");
            }
            return method.isDefault() ? InvocationHandler.invokeDefault(proxy, method, arguments) : null;
        });
    }

    private void announce(int type, ServiceReference<?> service) {
        for (Object each : open) {
            if (each instanceof ServiceListener tracker) {
                tracker.serviceChanged(new ServiceEvent(type, service));
            }
        }
    }

    @FrayTest(iterations = 200, resetClassLoaderPerIteration = false)
    void eachIsClosedOnceAndLeavesNothing() {
        Crew crew = new Crew();
        DiscoveryComponent first = new DiscoveryComponent(context, backend);
        first.start();
        crew.execute(first::deactivate);
        crew.execute(() -> {
            DiscoveryComponent next = new DiscoveryComponent(context, backend);
            next.start();
            next.deactivate();
        });
        ServiceReference<?> service = proxy(
                ServiceReference.class,
                (proxy, method, arguments) -> !method.getName().equals("getProperty")
                        ? null
                        : arguments[0].equals("service.id") ? (Object) 1L : "p");
        crew.execute(() -> {
            announce(ServiceEvent.REGISTERED, service);
            announce(ServiceEvent.UNREGISTERING, service);
        });
        crew.join();
        assertThat(open).isEmpty();
    }
}
