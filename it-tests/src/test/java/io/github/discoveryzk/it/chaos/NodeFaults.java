// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import static org.apache.sling.discovery.TopologyEvent.Type.PROPERTIES_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;

import io.github.discoveryzk.it.chaos.Fault.Trait;
import io.github.discoveryzk.it.outside.Limit;
import io.github.discoveryzk.testing.server.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Faults of containers, and what operators and applications do in them. */
final class NodeFaults {

    /** The longest delay of messages that must not have any consequence. */
    private static final Duration HARMLESS = Duration.ofMillis(50);

    private static final Duration FOREVER = Duration.ofDays(1);

    private NodeFaults() {}

    /** A fault of the container that is given when it begins. */
    private interface OfNode {
        Fault.End begin(Node node) throws Exception;
    }

    private static Fault of(String kind, int node, OfNode fault, Object... details) {
        return Fault.of(kind, List.of(details), fleet -> fault.begin(fleet.node(node)))
                .on(node);
    }

    /** {@code kill -9}, and a new start after a while, which may be zero. */
    static Fault killed(int node, Duration hold) {
        return of("killed", node, killed -> {
                    killed.kill();
                    return killed::start;
                })
                .lasting(hold);
    }

    /** A clean stop and a new start. */
    static Fault restarted(int node) {
        return of("restarted", node, NodeFaults::restart);
    }

    private static Fault.End restart(Node node) {
        node.stop();
        return () -> {
            node.awaitEnd();
            node.start();
        };
    }

    /** SIGSTOP, and SIGCONT after a while. */
    static Fault paused(int node, Duration hold) {
        return of("paused", node, paused -> paused.pause()::close).lasting(hold);
    }

    /** No connection to any server. */
    static Fault cutOff(int node, Duration hold) {
        return ofLinks("cut off", node, hold, TcpProxy::cut);
    }

    /** Connections stay, but what the container sends is lost. */
    static Fault requestsLost(int node, Duration hold) {
        return ofLinks("requests lost", node, hold, TcpProxy::loseRequests);
    }

    /** Connections stay, but what the servers send is lost. */
    static Fault repliesLost(int node, Duration hold) {
        return ofLinks("replies lost", node, hold, TcpProxy::loseReplies);
    }

    /** Everything arrives later. */
    static Fault delayed(int node, Duration each, Duration hold) {
        Fault fault = ofLinks("delayed", node, hold, link -> link.delay(each), each);
        return each.compareTo(HARMLESS) <= 0 ? fault.causing() : fault;
    }

    private static Fault ofLinks(
            String kind, int node, Duration hold, Consumer<TcpProxy> disturbance, Object... details) {
        OfNode disturbed = each -> {
            each.links().forEach(disturbance);
            return () -> each.links().forEach(TcpProxy::restore);
        };
        return of(kind, node, disturbed, details).lasting(hold);
    }

    /** A slow listener while another container is stopped and started. */
    static Fault slowListener(int node, Duration each, int other) {
        return slow("slow listener", node, each, other, Fleet::awaitSettled);
    }

    /** A listener does not return while another container is stopped and started; the others continue without it. */
    static Fault hungListener(int node, int other) {
        return slow("hung listener", node, FOREVER, other, fleet -> fleet.awaitSettledWithout(node));
    }

    private static Fault slow(String kind, int node, Duration each, int other, Consumer<Fleet> await) {
        return Fault.of(
                        kind,
                        each == FOREVER ? List.of() : List.of(each),
                        fleet -> {
                            fleet.node(node).slow(each);
                            Fault.End end = restart(fleet.node(other));
                            return () -> {
                                end.run();
                                await.accept(fleet);
                                fleet.node(node).slow(Duration.ZERO);
                            };
                        },
                        Trait.ALONE)
                .on(node, other);
    }

    /** A container is stopped cleanly while the end of another one is being settled. */
    static Fault stoppedInChange(int killed, int stopped, Duration hold) {
        Fault.Begin begin = fleet -> {
            int before = fleet.node(stopped).changes();
            fleet.node(killed).kill();
            fleet.awaitChanging(stopped, before);
            Fault.End end = restart(fleet.node(stopped));
            return () -> {
                end.run();
                fleet.node(killed).start();
            };
        };
        return Fault.of("stopped in change", List.of(), begin, Trait.ALONE)
                .on(killed, stopped)
                .lasting(hold);
    }

    /** The coordinator is killed while it publishes, or is about to: its link is slow, and all have acknowledged. */
    static Fault coordinatorKilled(int stopped, Duration each, Duration hold) {
        Fault.Begin begin = fleet -> {
            int first = fleet.leader();
            Node leader = fleet.node(first);
            Node other =
                    fleet.node(stopped == first ? (stopped + 1) % fleet.nodes().size() : stopped);
            leader.links().forEach(link -> link.delay(each));
            int before = leader.changes();
            other.stop();
            fleet.awaitChanging(first, before);
            Limit.pass(each);
            leader.kill();
            return () -> {
                leader.links().forEach(TcpProxy::restore);
                leader.start();
                other.awaitEnd();
                other.start();
            };
        };
        return Fault.of("coordinator killed", List.of(each), begin, Trait.ALONE)
                .on(stopped)
                .lasting(hold);
    }

    /** A second process with the same instance id; it may be that the first one is killed meanwhile, and started after it. */
    static Fault duplicateId(int node, boolean takesOver, Duration hold) {
        Fault.Begin begin = fleet -> {
            Node holder = fleet.node(node);
            Node copy = fleet.copyOf(node);
            copy.start();
            copy.awaitState("REFUSED");
            if (takesOver) {
                holder.kill();
                copy.awaitState("SETTLED");
                holder.start();
                holder.awaitState("REFUSED");
            }
            return () -> {
                copy.stop();
                copy.awaitEnd();
                copy.close();
            };
        };
        Fault fault = Fault.of("duplicate id", List.of(takesOver ? "takes over" : "is refused"), begin, Trait.ALONE)
                .on(node)
                .lasting(hold);
        return takesOver ? fault : fault.causing();
    }

    /** One instance evicts another one. */
    static Fault evicted(int node, int by) {
        Fault.Begin begin = fleet -> {
            fleet.node(by).command("evict " + fleet.node(node).name());
            return fleet.node(by)::awaitDone;
        };
        return Fault.of("evicted", List.of(), begin).on(node, by);
    }

    /** An instance is killed, evicted before its session has ended, and started again. */
    static Fault killedAndEvicted(int node, int by, Duration hold) {
        Fault.Begin begin = fleet -> {
            fleet.node(node).kill();
            Fault.End eviction = evicted(node, by).begin().in(fleet);
            return () -> {
                eviction.run();
                fleet.node(node).start();
            };
        };
        return Fault.of("killed and evicted", List.of(), begin).on(node, by).lasting(hold);
    }

    /** An instance gives up its seniority. */
    static Fault steppedDown(int node) {
        return ofCommand("stepped down", node, "stepdown");
    }

    /** The connections to neighbours, and those of the members that watch the instance, end without a goodbye. */
    static Fault neighboursLost(int node) {
        return ofCommand("neighbours lost", node, "neighbours end").causing();
    }

    /** The same, and connections to the instance are refused for a while. */
    static Fault portBlocked(int node, Duration hold) {
        return of("port blocked", node, blocked -> {
                    blocked.command("neighbours block");
                    return () -> {
                        blocked.command("neighbours unblock");
                        blocked.awaitDone();
                    };
                })
                .lasting(hold)
                .causing();
    }

    /** A worker goes, each of whose keys takes that long to end, and comes again. */
    static Fault workerInterrupted(int node, Duration stay, Duration end) {
        return ofCommand("worker interrupted", node, "work", stay, end).causing();
    }

    /** A property changes a number of times at an interval. */
    static Fault propertyBurst(int node, int times, Duration every) {
        return ofCommand("property burst", node, "properties", times, every).causing(PROPERTIES_CHANGED);
    }

    /** One listener object is registered and removed a number of times; each of its calls takes time. */
    static Fault listenersComeAndGo(int node, int times, Duration call, Duration stay) {
        return ofCommand("listeners come and go", node, "listeners", times, call, stay)
                .causing(TOPOLOGY_INIT);
    }

    private static Fault ofCommand(String kind, int node, String command, Object... arguments) {
        String line = command
                + Stream.of(arguments)
                        .map(each -> " " + (each instanceof Duration time ? time.toMillis() : each))
                        .collect(Collectors.joining());
        OfNode commanded = each -> {
            each.command(line);
            return each::awaitDone;
        };
        return of(kind, node, commanded, arguments);
    }
}
