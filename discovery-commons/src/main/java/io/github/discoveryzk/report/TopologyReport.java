// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.report.Health.Finding;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Everything to show about the topology at one moment, as values: {@link #names} turns reasons into sentences. No text in it is
 * escaped for any format; values that are secrets are masked already. Times are wall-clock milliseconds since 1970.
 *
 * @param source which instance made the report, and when
 * @param situation what the instance itself does
 * @param instances the instances of the topology
 * @param connectors the connectors of this instance
 * @param recent what happened to this instance since its process was started
 * @param history what happened to the cluster, as the store remembers it
 * @param noted what an operator must look at, and what each concerns
 */
public record TopologyReport(
        Source source,
        Situation situation,
        Instances instances,
        ConnectorReport connectors,
        Recent recent,
        History history,
        List<Finding> noted) {

    public TopologyReport {
        noted = List.copyOf(noted);
    }

    /** Returns what an operator must look at, a sentence each: what, where, what to do. */
    public List<String> problems() {
        return noted.stream().map(Finding::sentence).toList();
    }

    public long generatedMillis() {
        return source.generatedMillis();
    }

    public long revision() {
        return source.revision();
    }

    public String localInstanceId() {
        return source.localInstanceId();
    }

    public ExplainedState status() {
        return situation.status();
    }

    /** Returns the state by name. */
    public State state() {
        return status().state();
    }

    /** Returns the status as one sentence, with the countdown. */
    public String sentence() {
        return status().words(names(), generatedMillis());
    }

    public Optional<View> view() {
        return situation.view();
    }

    public Optional<Change> change() {
        return situation.change();
    }

    public List<Listener> listeners() {
        return situation.listeners();
    }

    public List<Cluster> clusters() {
        return instances.clusters();
    }

    public List<Instance> outsiders() {
        return instances.outsiders();
    }

    public List<Instance> recentlyLeft() {
        return instances.recentlyLeft();
    }

    /** Returns the instances that have crashed or lost their sessions and are not back. */
    public List<Instance> crashed() {
        return recentlyLeft().stream()
                .filter(each ->
                        each.status().why().stream().anyMatch(why -> why.code().isCrash()))
                .toList();
    }

    /** Returns how texts name instances. */
    public InstanceNames names() {
        return instances.names();
    }

    /** Returns this report with another history. */
    public TopologyReport with(History other) {
        return new TopologyReport(source, situation, instances, connectors, recent, other, noted);
    }

    /**
     * Returns the members of the view and the live instances outside of it that are in one of these states. This instance is not among
     * those that were excluded: its own state says that it was.
     */
    public List<Instance> concerned(InstanceState... states) {
        return Stream.concat(
                        clusters().stream().filter(Cluster::local).flatMap(cluster -> cluster.instances().stream()),
                        outsiders().stream())
                .filter(instance -> List.of(states).contains(instance.status().state()))
                .filter(instance -> !instance.local() || instance.status().state() != InstanceState.EXCLUDED)
                .toList();
    }

    /**
     * Which instance made the report, and when.
     *
     * @param generatedMillis when the report was made
     * @param revision changes whenever the report changes, ignoring elapsed times and response times. Comparable only within one
     *     process
     * @param localInstanceId the id of this instance
     * @param address which cluster in which store, for display
     */
    public record Source(long generatedMillis, long revision, String localInstanceId, String address) {}

    /**
     * What the instance itself does.
     *
     * @param status its status
     * @param connection the session with the store; empty when there is none
     * @param view the last view that was announced to the listeners of this instance; empty before INIT
     * @param change the change that is going on; empty in the states {@link State#SETTLED} and {@link State#SUSPENDED}
     * @param lastChange the last change that was settled; empty before INIT
     * @param listeners the topology event listeners of this instance, by name
     * @param access the access rights of the nodes that each instance uses; empty before they are known
     */
    public record Situation(
            ExplainedState status,
            Optional<StoreConnection> connection,
            Optional<View> view,
            Optional<Change> change,
            Optional<Change.Settled> lastChange,
            List<Listener> listeners,
            Optional<StoreAccess> access) {
        public Situation {
            listeners = List.copyOf(listeners);
        }
    }

    /**
     * The instances of the topology.
     *
     * @param clusters all clusters of the view with their instances, the local one first; empty before INIT
     * @param outsiders live instances of the local cluster that are not in the view, each with the reason in its status; their
     *     position is 0
     * @param recentlyLeft instances of the local cluster that left a short time ago, or that have been missing for at most an hour,
     *     and are not back, newest first; their position is 0, and the state is {@link InstanceState#GONE} or
     *     {@link InstanceState#EXCLUDED}. A member of the view that has left is in {@code clusters} until the next view is held
     * @param names how texts name instances
     */
    public record Instances(
            List<Cluster> clusters, List<Instance> outsiders, List<Instance> recentlyLeft, InstanceNames names) {
        public Instances {
            clusters = List.copyOf(clusters);
            outsiders = List.copyOf(outsiders);
            recentlyLeft = List.copyOf(recentlyLeft);
        }
    }

    /**
     * The status of an instance: the present one, or what it was when the instance entered the state.
     *
     * @param state by name
     * @param reasons the situation, what the instance waits for, what happens next
     * @param sinceMillis since when the state is what it is
     * @param countdown what happens at a known time; empty when there is none
     */
    public record ExplainedState(State state, List<Reason> reasons, long sinceMillis, Optional<Countdown> countdown) {

        /** Returns the status as one sentence with the countdown as it is at that time. */
        public String words(InstanceNames names, long millis) {
            return names.sentence(reasons)
                    + countdown.map(each -> "; " + each.words(millis)).orElse("");
        }
    }

    /**
     * The view of the local cluster that an instance has announced to its listeners.
     *
     * @param established the view as the cluster has settled it
     * @param current whether the view is current now
     * @param sinceMillis since when this instance has held it
     */
    public record View(EstablishedView established, boolean current, long sinceMillis) {

        public long number() {
            return established.number();
        }

        /** Returns the instance id of the leader. */
        public String leaderId() {
            return established.leader().instanceId();
        }
    }

    /**
     * A cluster of the topology.
     *
     * @param id the cluster id
     * @param local whether this instance belongs to it
     * @param instances its instances, in order
     * @param way the ids of the instances through which its announcement came, from the member that holds the announcement, of the
     *     local cluster or of one in the same store, to the instance that made it; empty for the local cluster and for clusters in the
     *     same store
     */
    public record Cluster(String id, boolean local, List<Instance> instances, List<String> way) {
        public Cluster {
            instances = List.copyOf(instances);
            way = List.copyOf(way);
        }

        /** Returns the instance that leads it; empty if none of its instances does, or if that is not known now. */
        public Optional<Instance> leader() {
            return instances.stream().filter(Instance::leader).findFirst();
        }
    }

    /**
     * An instance of a cluster, or one that is or was near it.
     *
     * @param position its position in the order of its cluster, from 1; 0 when it is not in the view
     * @param member its member node, with secret properties masked. Of an instance of another cluster the id and the properties are
     *     known: other texts are empty and numbers 0
     * @param status its state with the reason
     * @param leader whether it leads its cluster now
     * @param wasLeader whether it led the last view, which is not current now, or led when it left
     * @param local whether it is this instance
     */
    public record Instance(
            int position, Member member, InstanceStatus status, boolean leader, boolean wasLeader, boolean local) {

        /** The property with the address of the ZooKeeper server in the container of an instance that has one. */
        public static final String SERVER_PROPERTY = "io.github.discoveryzk.zk.server";

        public String id() {
            return member.instanceId();
        }

        /** Returns its name, see {@link InstanceNames#PROPERTY}; empty when it has none. */
        public Optional<String> name() {
            return InstanceNames.name(properties());
        }

        /** Returns the name of its member node; empty when it is not known. */
        public String node() {
            return member.node();
        }

        public ProcessInfo process() {
            return member.record().process();
        }

        /** Returns the session that owns its member node, as the store writes it (hexadecimal); empty when it is not known. */
        public String session() {
            return member.session() == 0 ? "" : "0x" + Long.toHexString(member.session());
        }

        public Map<String, String> properties() {
            return member.record().properties();
        }

        /** Returns the address at which its HTTP service answers, when it has one. */
        public Optional<String> console() {
            return ConsoleAddress.of(properties());
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
}
