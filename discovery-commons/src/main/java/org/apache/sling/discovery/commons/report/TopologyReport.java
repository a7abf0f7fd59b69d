// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything there is to show about the topology at one moment, computed once; renderers compute nothing. No text in it is
 * escaped for any format. Times are wall-clock milliseconds since 1970.
 *
 * @param generatedMillis when the report was made
 * @param state where this instance stands
 * @param sentence one sentence for people: how things are, what is being waited for, what happens next
 * @param sinceMillis since when the state is what it is
 * @param localInstanceId the id of this instance
 * @param address which cluster in which store, for people
 * @param view the last view that listeners of this instance were told; empty before INIT
 * @param clusters all clusters of that view with their instances, the local one first; empty before INIT
 * @param outsiders live instances of the local cluster that are not in the view, each with the reason
 * @param listeners the topology event listeners of this instance, by name
 * @param events the last events that listeners were told, newest first
 * @param transitions the last transitions between states, newest first
 * @param problems what a human must look at, a sentence each: what, where, what to do
 */
public record TopologyReport(
        long generatedMillis,
        State state,
        String sentence,
        long sinceMillis,
        String localInstanceId,
        String address,
        Optional<View> view,
        List<Cluster> clusters,
        List<Outsider> outsiders,
        List<Listener> listeners,
        List<Event> events,
        List<Transition> transitions,
        List<String> problems) {

    public TopologyReport {
        clusters = List.copyOf(clusters);
        outsiders = List.copyOf(outsiders);
        listeners = List.copyOf(listeners);
        events = List.copyOf(events);
        transitions = List.copyOf(transitions);
        problems = List.copyOf(problems);
    }

    /** Where an instance stands. */
    public enum State {
        /** There is no usable connection to the store and no view to hold. */
        CONNECTING,
        /** The instance is announcing itself or waits to be taken into a view. */
        JOINING,
        /** Another live instance has the same id; this one waits until it has gone. */
        REFUSED,
        /** The instance lost its place in the cluster too often and rests before it announces itself again. */
        QUARANTINED,
        /** The view is current. */
        SETTLED,
        /** A change is being settled. */
        CHANGING,
        /** The connection is lost; the view is current until the lease ends. */
        SUSPENDED,
        /** The connection is lost and the lease is over. */
        CUT_OFF,
        /** The discovery service has been stopped. */
        STOPPED
    }

    /**
     * A view of the local cluster.
     *
     * @param number its number
     * @param token the fencing token of its leadership
     * @param leaderId the instance id of the leader
     * @param leaderSinceMillis since when that leader leads
     * @param current whether the view is current now
     * @param sinceMillis since when this instance has held it
     * @param cause why it followed the view before, in words
     */
    public record View(
            long number,
            long token,
            String leaderId,
            long leaderSinceMillis,
            boolean current,
            long sinceMillis,
            String cause) {}

    /**
     * A cluster of the topology.
     *
     * @param id the cluster id
     * @param local whether this instance belongs to it
     * @param instances its instances, in order
     */
    public record Cluster(String id, boolean local, List<Instance> instances) {
        public Cluster {
            instances = List.copyOf(instances);
        }
    }

    /**
     * An instance of a cluster.
     *
     * @param order its place in the order of its cluster, from 1
     * @param id the instance id
     * @param leader whether it leads its cluster
     * @param local whether it is this instance
     * @param node the name of its member node
     * @param host the name of its machine
     * @param pid its process id
     * @param home its working directory
     * @param startedMillis when it was started
     * @param session the session that owns its member node, as the store writes it (hexadecimal)
     * @param sessionTimeoutMillis the timeout granted to that session
     * @param properties its properties
     */
    public record Instance(
            int order,
            String id,
            boolean leader,
            boolean local,
            String node,
            String host,
            long pid,
            String home,
            long startedMillis,
            String session,
            int sessionTimeoutMillis,
            Map<String, String> properties) {
        public Instance {
            properties = Map.copyOf(properties);
        }
    }

    /**
     * A live instance outside the view.
     *
     * @param id its instance id
     * @param host the name of its machine
     * @param pid its process id
     * @param home its working directory
     * @param reason why it is not in the view, a sentence
     */
    public record Outsider(String id, String host, long pid, String home, String reason) {}

    /**
     * A listener of this instance.
     *
     * @param name its class, and bundle where it is known
     * @param pending events that wait for it, the one it is busy with included
     * @param busyMillis for how long it has been busy with the present event, 0 when it is idle
     */
    public record Listener(String name, int pending, long busyMillis) {}

    /**
     * An event that listeners were told.
     *
     * @param millis when
     * @param type the event type's name
     * @param viewNumber the number of the new view, or of the old one where there is no new one
     * @param details what changed, a sentence
     */
    public record Event(long millis, String type, long viewNumber, String details) {}

    /**
     * A transition between states.
     *
     * @param millis when
     * @param to the new state
     * @param sentence the explanation given at that moment
     */
    public record Transition(long millis, State to, String sentence) {}
}
