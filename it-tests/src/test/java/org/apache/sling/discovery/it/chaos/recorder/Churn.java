// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos.recorder;

import java.util.Hashtable;
import org.apache.sling.discovery.TopologyEventListener;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** Listeners that come and go, the same object again and again. For one thread. */
final class Churn {

    private final BundleContext context;
    private final RecordingFile file;
    private int objects;

    Churn(BundleContext context, RecordingFile file) {
        this.context = context;
        this.file = file;
    }

    /** Registers and removes a listener so often, which takes so long in each call, and stays so long each time. */
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
