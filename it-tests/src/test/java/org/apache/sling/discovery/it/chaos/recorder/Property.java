// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos.recorder;

import java.util.Dictionary;
import java.util.Hashtable;
import org.apache.sling.discovery.PropertyProvider;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** Properties of the instance: which process it is, and a counter that changes in bursts. For one thread. */
final class Property implements PropertyProvider {

    private static final String COUNTER = "chaos.counter";

    private final String process;
    private final ServiceRegistration<PropertyProvider> registration;
    private volatile long count;

    Property(BundleContext context, String process) {
        this.process = process;
        this.registration = context.registerService(PropertyProvider.class, this, names());
    }

    private static Dictionary<String, Object> names() {
        Dictionary<String, Object> names = new Hashtable<>();
        names.put(PropertyProvider.PROPERTY_PROPERTIES, new String[] {RecordingListener.PROCESS, COUNTER});
        return names;
    }

    @Override
    public String getProperty(String name) {
        return name.equals(COUNTER) ? Long.toString(count) : process;
    }

    /** Changes the counter a number of times at an interval; every third time it returns to its previous value. */
    void burst(int times, long everyMillis) throws InterruptedException {
        for (int i = 1; i <= times; i++) {
            count += i % 3 == 0 ? -1 : 1;
            registration.setProperties(names());
            Slowness.pass(everyMillis);
        }
    }
}
