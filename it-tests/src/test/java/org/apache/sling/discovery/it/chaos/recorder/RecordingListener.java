// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos.recorder;

import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.testing.laws.Call;
import org.osgi.framework.ServiceRegistration;

/** Writes each event at entry and at return, with a settable delay in between. */
final class RecordingListener implements TopologyEventListener {

    /** The property with the process of an instance, by which the others distinguish its processes. */
    static final String PROCESS = "chaos.process";

    /** The subscriptions of an object are numbered from a multiple of this. */
    static final int OBJECT = 1000;

    private final RecordingFile file;
    private final Consumer<TopologyEvent> act;
    private volatile int subscription;
    private volatile TopologyView last;

    /**
     * Makes a listener.
     *
     * @param subscription one less than the number of its first subscription
     * @param file the file to write
     * @param act its action between entry and return
     */
    RecordingListener(int subscription, RecordingFile file, Consumer<TopologyEvent> act) {
        this.subscription = subscription;
        this.file = file;
        this.act = act;
    }

    /** To be called before each registration. */
    void begin() {
        last = null;
        subscription++;
    }

    /** Removes the listener. */
    void remove(ServiceRegistration<TopologyEventListener> registration) {
        long begun = System.nanoTime();
        registration.unregister();
        file.line("removed", subscription, begun, System.nanoTime());
    }

    @Override
    public void handleTopologyEvent(TopologyEvent event) {
        long entered = System.nanoTime();
        int called = subscription;
        TopologyView after = event.getNewView();
        Call call = Call.of(event, last);
        Call.Shown shown = call.shown();
        file.line(
                "enter",
                called,
                entered,
                Long.MAX_VALUE,
                call.type(),
                shown.number(),
                shown.token(),
                String.join(",", shown.ids()),
                shown.leader(),
                shown.local(),
                shown.cluster(),
                call.sameOld(),
                call.sameStructure(),
                call.equalProperties(),
                processes(after == null ? event.getOldView() : after));
        last = after == null ? last : after;
        act.accept(event);
        file.line("return", called, System.nanoTime());
    }

    private static String processes(TopologyView view) {
        return view.getLocalInstance().getClusterView().getInstances().stream()
                .map(member -> String.valueOf(member.getProperty(PROCESS)))
                .collect(Collectors.joining(","));
    }
}
