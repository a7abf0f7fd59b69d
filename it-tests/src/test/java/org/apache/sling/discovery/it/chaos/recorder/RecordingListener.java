// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos.recorder;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyEventListener;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.leader.ViewNumber;
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
        file.line("removed", System.nanoTime(), subscription, begun);
    }

    @Override
    public void handleTopologyEvent(TopologyEvent event) {
        long entered = System.nanoTime();
        int called = subscription;
        TopologyView before = event.getOldView();
        TopologyView after = event.getNewView();
        TopologyView shown = after == null ? before : after;
        file.line(
                "enter",
                entered,
                called,
                event.getType(),
                ViewNumber.of(shown).orElse(0),
                TokenSource.of(shown),
                before == last,
                before != null && after != null && properties(before).equals(properties(after)),
                before != null && after != null && structure(before).equals(structure(after)),
                order(shown),
                shown.getLocalInstance().getClusterView().getLeader().getSlingId(),
                shown.getLocalInstance().getClusterView().getId());
        last = after == null ? last : after;
        act.accept(event);
        file.line("return", System.nanoTime(), called);
    }

    private static String order(TopologyView view) {
        List<InstanceDescription> members =
                view.getLocalInstance().getClusterView().getInstances();
        return members.stream()
                .map(member -> member.getSlingId() + "=" + member.getProperty(PROCESS))
                .collect(Collectors.joining(","));
    }

    private static Map<String, List<String>> structure(TopologyView view) {
        Map<String, List<String>> all = new TreeMap<>();
        all.put("", List.of(view.getLocalInstance().getSlingId()));
        for (ClusterView cluster : view.getClusterViews()) {
            List<String> ids = new ArrayList<>(List.of(cluster.getLeader().getSlingId()));
            cluster.getInstances().forEach(one -> ids.add(one.getSlingId()));
            all.put(cluster.getId(), ids);
        }
        return all;
    }

    private static Map<String, Map<String, String>> properties(TopologyView view) {
        Map<String, Map<String, String>> all = new TreeMap<>(Comparator.naturalOrder());
        view.getInstances().forEach(one -> all.put(one.getSlingId(), one.getProperties()));
        return all;
    }
}
