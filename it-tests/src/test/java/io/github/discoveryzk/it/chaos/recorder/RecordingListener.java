// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos.recorder;

import io.github.discoveryzk.it.chaos.recorder.Entry.Listener;
import io.github.discoveryzk.it.chaos.recorder.Entry.Received;
import io.github.discoveryzk.it.chaos.recorder.Entry.Removed;
import io.github.discoveryzk.it.chaos.recorder.Entry.Returned;
import io.github.discoveryzk.testing.laws.Call;
import java.util.Hashtable;
import java.util.List;
import java.util.function.Consumer;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** Writes each event at entry and at return, with an action in between. */
final class RecordingListener implements TopologyEventListener {

    /** The property with the process of an instance, by which the others distinguish its processes. */
    static final String PROCESS = "chaos.process";

    private final BundleContext context;
    private final RecordingFile file;
    private final Consumer<TopologyEvent> act;
    private volatile Listener subscription;
    private volatile TopologyView last;

    /** Makes the listener with that number, which is not registered yet. */
    RecordingListener(int object, BundleContext context, RecordingFile file, Consumer<TopologyEvent> act) {
        this.subscription = new Listener(context.getProperty(PROCESS), object * Listener.OBJECT);
        this.context = context;
        this.file = file;
        this.act = act;
    }

    /** Registers it, perhaps again, and returns what removes it. */
    Runnable register() {
        last = null;
        subscription = new Listener(subscription.process(), subscription.subscription() + 1);
        ServiceRegistration<?> registration =
                context.registerService(TopologyEventListener.class, this, new Hashtable<>());
        return () -> {
            long begun = System.nanoTime();
            registration.unregister();
            file.add(new Removed(subscription, begun, System.nanoTime()));
        };
    }

    @Override
    public void handleTopologyEvent(TopologyEvent event) {
        long entered = System.nanoTime();
        Listener called = subscription;
        TopologyView after = event.getNewView();
        TopologyView shown = after == null ? event.getOldView() : after;
        file.add(new Received(called, entered, Entry.NEVER, Call.of(event, last), processes(shown)));
        last = after == null ? last : after;
        act.accept(event);
        file.add(new Returned(called, System.nanoTime()));
    }

    private static List<String> processes(TopologyView view) {
        return view.getLocalInstance().getClusterView().getInstances().stream()
                .map(member -> String.valueOf(member.getProperty(PROCESS)))
                .toList();
    }
}
