// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Everything to show about the topology at one moment, computed once; renderers compute nothing. No text in it is escaped for
 * any format; values that are secrets are masked already. Times are wall-clock milliseconds since 1970.
 *
 * @param generatedMillis when the report was made
 * @param revision changes whenever the report changes, ignoring elapsed times and response times. Comparable only within one
 *     process
 * @param status the status of this instance
 * @param localInstanceId the id of this instance
 * @param address which cluster in which store, for display
 * @param connection the session with the store; empty when there is none
 * @param view the last view that was announced to the listeners of this instance; empty before INIT
 * @param clusters all clusters of that view with their instances, the local one first; empty before INIT
 * @param connectors the connectors of this instance
 * @param outsiders live instances of the local cluster that are not in the view, each with the reason in its status; their
 *     position is 0
 * @param recentlyLeft instances of the local cluster that left a short time ago, or that have been missing for at most an hour, and
 *     are not back, newest first; their position is 0, and the state is {@link InstanceState#GONE} or {@link InstanceState#LEFT_OUT}. A member of the view that
 *     has left is in {@code clusters} until the next view is held
 * @param change the change that is going on; empty in the states {@link State#SETTLED} and {@link State#SUSPENDED}
 * @param lastChange the last change that was settled; empty before INIT
 * @param ifStopped what follows if this instance stops; empty unless this instance is settled
 * @param names how texts name instances
 * @param listeners the topology event listeners of this instance, by name
 * @param recent what happened to this instance since its process was started
 * @param history what happened to the cluster, as the store remembers it
 * @param problems what an operator must look at, a sentence each: what, where, what to do
 */
public record TopologyReport(
        long generatedMillis,
        long revision,
        Status status,
        String localInstanceId,
        String address,
        Optional<Connection> connection,
        Optional<View> view,
        List<Cluster> clusters,
        ConnectorReport connectors,
        List<Instance> outsiders,
        List<Instance> recentlyLeft,
        Optional<Change> change,
        Optional<Change.Settled> lastChange,
        Optional<IfStopped> ifStopped,
        InstanceNames names,
        List<Listener> listeners,
        Recent recent,
        History history,
        List<String> problems) {

    public TopologyReport {
        clusters = List.copyOf(clusters);
        outsiders = List.copyOf(outsiders);
        recentlyLeft = List.copyOf(recentlyLeft);
        listeners = List.copyOf(listeners);
        problems = List.copyOf(problems);
    }

    /** Returns the state by name. */
    public State state() {
        return status.state();
    }

    /** Returns the status as one sentence, with the countdown. */
    public String sentence() {
        return status.words(generatedMillis);
    }

    /** Returns this report with another history and other clusters. */
    public TopologyReport with(List<Cluster> others, History other) {
        return new TopologyReport(
                generatedMillis,
                revision,
                status,
                localInstanceId,
                address,
                connection,
                view,
                others,
                connectors,
                outsiders,
                recentlyLeft,
                change,
                lastChange,
                ifStopped,
                names,
                listeners,
                recent,
                other,
                problems);
    }

    /** Returns whether a cluster of the view has an instance with that id. */
    public boolean hasInstance(String instanceId) {
        return clusters.stream()
                .flatMap(cluster -> cluster.instances().stream())
                .anyMatch(instance -> instance.id().equals(instanceId));
    }

    /**
     * The status of an instance.
     *
     * @param state by name
     * @param sentence the situation, what the instance waits for, what happens next
     * @param sinceMillis since when the state is what it is
     * @param countdown what happens at a known time; empty when there is none
     */
    public record Status(State state, String sentence, long sinceMillis, Optional<Countdown> countdown) {

        /** Returns the sentence with the countdown as it is at that time. */
        public String words(long millis) {
            return sentence + countdown.map(each -> "; " + each.words(millis)).orElse("");
        }
    }

    /**
     * An event that happens at a known time unless another one prevents it.
     *
     * @param what words to be completed by a duration, such as "left out in"
     * @param atMillis when
     */
    public record Countdown(String what, long atMillis) {

        /** Returns the words with the seconds that are left. */
        public String words(long millis) {
            return what + " " + Math.max(0, (atMillis - millis + 999) / 1_000) + " s";
        }
    }

    /**
     * The session with the store.
     *
     * @param session its id, as the store writes it (hexadecimal)
     * @param timeoutMillis the timeout granted to it
     * @param usable whether the store can be reached now
     * @param roundTripMillis how long the last reply took, empty before the first
     * @param heardMillis when the last completed request was made, empty before the first
     */
    public record Connection(
            String session,
            int timeoutMillis,
            boolean usable,
            OptionalLong roundTripMillis,
            OptionalLong heardMillis) {}

    /**
     * What happened to this instance since its process was started, each list newest first and bounded.
     *
     * @param events the events sent to listeners
     * @param transitions the transitions between states
     * @param propertyChanges properties of instances of the view that were added, removed or changed
     */
    public record Recent(List<Event> events, List<Transition> transitions, List<PropertyChange> propertyChanges) {

        /** Nothing has happened. */
        public static final Recent NOTHING = new Recent(List.of(), List.of(), List.of());

        public Recent {
            events = List.copyOf(events);
            transitions = List.copyOf(transitions);
            propertyChanges = List.copyOf(propertyChanges);
        }
    }

    /**
     * A property that was added, removed or changed. Secret values are masked, long ones are cut.
     *
     * @param millis when this instance noticed it
     * @param instanceId the instance that has the property
     * @param name the name of the property
     * @param before its value before, empty when it was added
     * @param after its value after, empty when it was removed
     */
    public record PropertyChange(
            long millis, String instanceId, String name, Optional<String> before, Optional<String> after) {}

    /** The status of an instance. */
    public enum State {
        /** There is no usable connection to the store, and no view is held. */
        CONNECTING,
        /** The instance is announcing itself or waits to be admitted to a view. */
        JOINING,
        /** Another live instance has the same id; this one waits until that one is gone. */
        REFUSED,
        /** The instance lost its seniority too often and rests before it announces itself again. */
        QUARANTINED,
        /** The view is current. */
        SETTLED,
        /** A change is being settled. */
        CHANGING,
        /** A view followed without this instance, whose listeners had not returned in time; it announces itself when they return. */
        LEFT_OUT,
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
     * @param leader how a text names the leader
     * @param leaderSinceMillis since when that leader leads
     * @param current whether the view is current now
     * @param sinceMillis since when this instance has held it
     * @param cause why it followed the previous view, in words
     */
    public record View(
            long number,
            long token,
            String leaderId,
            String leader,
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
     * @param way the ids of the instances through which its announcement came, from the member that holds the announcement, of the own
     *     cluster or of one in the same store, to the instance that made it; empty for the own cluster and for clusters in the same store
     */
    public record Cluster(String id, boolean local, List<Instance> instances, List<String> way) {
        public Cluster {
            instances = List.copyOf(instances);
            way = List.copyOf(way);
        }

        /** Makes the own cluster, or one in the same store. */
        public Cluster(String id, boolean local, List<Instance> instances) {
            this(id, local, instances, List.of());
        }

        /** Returns this cluster with some of its instances. */
        public Cluster with(List<Instance> others) {
            return new Cluster(id, local, others, way);
        }

        /** Returns the instance that leads it; empty if none of its instances does, or if that is not known now. */
        public Optional<Instance> leader() {
            return instances.stream().filter(Instance::leader).findFirst();
        }
    }

    /**
     * An instance of a cluster, or one that is or was near it. Of an instance of another cluster the member node, process and session
     * are not known: these texts are empty and these numbers 0.
     *
     * @param position its position in the order of its cluster, from 1; 0 when it is not in the view
     * @param id the instance id
     * @param name its name, see {@link InstanceNames#PROPERTY}; empty when it has none
     * @param label how a text names it
     * @param status its state with the reason
     * @param leader whether it leads its cluster now
     * @param wasLeader whether it led the last view, which is not current now, or led when it left
     * @param local whether it is this instance
     * @param node the name of its member node
     * @param host the name of its machine
     * @param pid its process id
     * @param home its working directory
     * @param startedMillis when it was started
     * @param joinedMillis when its member node was created, by the clock of the store
     * @param console the address at which its HTTP service answers, when it has one; an absolute address that starts
     *     with {@code http://} or {@code https://} and holds no password
     * @param session the session that owns its member node, as the store writes it (hexadecimal)
     * @param sessionTimeoutMillis the timeout granted to that session
     * @param properties its properties
     */
    public record Instance(
            int position,
            String id,
            Optional<String> name,
            String label,
            InstanceStatus status,
            boolean leader,
            boolean wasLeader,
            boolean local,
            String node,
            String host,
            long pid,
            String home,
            long startedMillis,
            long joinedMillis,
            Optional<String> console,
            String session,
            int sessionTimeoutMillis,
            Map<String, String> properties) {
        public Instance {
            properties = Map.copyOf(properties);
        }
    }

    /**
     * A listener of this instance.
     *
     * @param name its class, and bundle where it is known
     * @param pending events queued for it, including the one it is handling
     * @param busyMillis for how long it has been handling the present event, 0 when it is idle
     */
    public record Listener(String name, int pending, long busyMillis) {}

    /**
     * An event that was sent to listeners.
     *
     * @param millis when
     * @param type the event type's name
     * @param viewNumber the number of the new view, or of the old one where there is no new one
     * @param details the change, a sentence
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
