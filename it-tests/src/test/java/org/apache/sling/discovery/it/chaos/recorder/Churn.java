// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos.recorder;

import java.util.Hashtable;
import org.apache.sling.discovery.TopologyEventListener;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** Listeners that are registered and removed, the same object repeatedly. For one thread. */
final class Churn {

    private final BundleContext context;
    private final RecordingFile file;
    private int objects;

    Churn(BundleContext context, RecordingFile file) {
        this.context = context;
        this.file = file;
    }

    /** Registers and removes a listener a number of times; sets the duration of each call and of each registration. */
    void run(int times, long callMillis, long stayMillis) throws InterruptedException {
        objects++;
        RecordingListener listener =
                new RecordingListener(objects * RecordingListener.OBJECT, file, event -> Slowness.pass(callMillis));
        for (int i = 0; i < times; i++) {
            listener.begin();
            ServiceRegistration<TopologyEventListener> registration =
                    context.registerService(TopologyEventListener.class, listener, new Hashtable<>());
            Slowness.pass(stayMillis);
            listener.remove(registration);
        }
    }
}
