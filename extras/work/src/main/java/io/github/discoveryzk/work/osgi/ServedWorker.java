// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.work.osgi;

import io.github.discoveryzk.work.Ownership;
import io.github.discoveryzk.work.Worker;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** A worker whose ownerships are services as well: the components that reference one are deactivated before the worker ends. */
final class ServedWorker implements Worker {

    private final BundleContext context;
    private final Worker worker;
    private final Map<Ownership, ServiceRegistration<Ownership>> registrations = new ConcurrentHashMap<>();

    ServedWorker(BundleContext context, Worker worker) {
        this.context = context;
        this.worker = worker;
    }

    @Override
    public void begin(Ownership ownership) throws Exception {
        worker.begin(ownership);
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(Worker.SET, ownership.set());
        properties.put(Ownership.KEY, ownership.key());
        properties.put(Ownership.TOKEN, ownership.token());
        try {
            registrations.put(ownership, context.registerService(Ownership.class, ownership, properties));
        } catch (IllegalStateException e) {
            // This bundle has stopped meanwhile, so the key ends now.
        }
    }

    @Override
    public void end(Ownership ownership) throws Exception {
        ServiceRegistration<Ownership> registration = registrations.remove(ownership);
        try {
            if (registration != null) {
                registration.unregister();
            }
        } catch (IllegalStateException e) {
            // This bundle has stopped, and the framework has unregistered the service.
        } finally {
            worker.end(ownership);
        }
    }
}
