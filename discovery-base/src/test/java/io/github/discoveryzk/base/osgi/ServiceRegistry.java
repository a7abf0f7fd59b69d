// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Dictionary;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;

/** The part of a framework that registers services. One bundle uses each service as long as it is registered. */
final class ServiceRegistry {

    static final String USER = "com.example.jobs";

    private final Map<String, Dictionary<?, ?>> registered = new LinkedHashMap<>();
    private final Set<String> unknownTypes = new TreeSet<>();
    private Runnable whileRegistering = () -> {};
    private boolean stopped;

    BundleContext context() {
        return proxy(BundleContext.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "registerService" -> register((String) arguments[0], (Dictionary<?, ?>) arguments[2]);
            case "getBundle" -> ownBundle();
            default -> throw new UnsupportedOperationException(method.toString());
        });
    }

    private Bundle ownBundle() {
        return proxy(Bundle.class, (proxy, method, arguments) -> {
            if (unknownTypes.contains((String) arguments[0])) {
                throw new ClassNotFoundException((String) arguments[0]);
            }
            return Class.forName((String) arguments[0]);
        });
    }

    private ServiceRegistration<?> register(String type, Dictionary<?, ?> properties) {
        registered.put(type, properties);
        whileRegistering.run();
        return proxy(ServiceRegistration.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "getReference" -> reference(type);
            case "unregister" -> unregister(type);
            default -> throw new UnsupportedOperationException(method.toString());
        });
    }

    private ServiceReference<?> reference(String type) {
        Bundle user = proxy(Bundle.class, (proxy, method, arguments) -> USER);
        return proxy(
                ServiceReference.class,
                (proxy, method, arguments) -> registered.containsKey(type) ? new Bundle[] {user} : null);
    }

    private Object unregister(String type) {
        if (stopped) {
            throw new IllegalStateException("already unregistered by the framework");
        }
        registered.remove(type);
        return null;
    }

    private static <T> T proxy(Class<T> type, InvocationHandler answers) {
        return type.cast(
                Proxy.newProxyInstance(ServiceRegistry.class.getClassLoader(), new Class<?>[] {type}, answers));
    }

    /** Returns the registered types with their service properties. */
    Map<String, Dictionary<?, ?>> registered() {
        return registered;
    }

    void lacks(String type) {
        unknownTypes.add(type);
    }

    void whileRegistering(Runnable task) {
        whileRegistering = task;
    }

    /** The bundle is stopped: the framework unregisters its services. */
    void stop() {
        stopped = true;
        registered.clear();
    }
}
