// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import static org.apache.sling.discovery.TopologyEvent.Type.PROPERTIES_CHANGED;
import static org.apache.sling.discovery.TopologyEvent.Type.TOPOLOGY_INIT;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.apache.sling.discovery.testing.server.TcpProxy;

/** Faults of containers, and what operators and applications do in them. */
final class NodeFaults {

    /** The longest delay of messages that must not have any consequence. */
    private static final Duration HARMLESS = Duration.ofMillis(50);

    private NodeFaults() {}

    /** {@code kill -9}, and a new start after a while, which may be zero. */
    static Fault killed(int node, Duration hold) {
        return new Fault("killed").on(node).lasting(hold).doing(fleet -> {
            fleet.node(node).kill();
            return fleet.node(node)::start;
        });
    }

    /** A clean stop and a new start. */
    static Fault restarted(int node) {
        return new Fault("restarted").on(node).doing(fleet -> {
            Node stopped = fleet.node(node);
            stopped.stop();
            return () -> {
                stopped.awaitEnd();
                stopped.start();
            };
        });
    }

    /** SIGSTOP, and SIGCONT after a while. */
    static Fault paused(int node, Duration hold) {
        return new Fault("paused")
                .on(node)
                .lasting(hold)
                .doing(fleet -> fleet.node(node).pause()::close);
    }

    /** No connection to any server. */
    static Fault cutOff(int node, Duration hold) {
        return ofLinks(new Fault("cut off"), node, hold, TcpProxy::cut);
    }

    /** Connections stay, but what the container sends is lost. */
    static Fault requestsLost(int node, Duration hold) {
        return ofLinks(new Fault("requests lost"), node, hold, TcpProxy::loseRequests);
    }

    /** Connections stay, but what the servers send is lost. */
    static Fault repliesLost(int node, Duration hold) {
        return ofLinks(new Fault("replies lost"), node, hold, TcpProxy::loseReplies);
    }

    /** Everything arrives later. */
    static Fault delayed(int node, Duration each, Duration hold) {
        Fault fault = ofLinks(new Fault("delayed", each), node, hold, link -> link.delay(each));
        return each.compareTo(HARMLESS) <= 0 ? fault.causing() : fault;
    }

    private static Fault ofLinks(Fault fault, int node, Duration hold, Consumer<TcpProxy> disturbance) {
        return fault.on(node).lasting(hold).doing(fleet -> {
            List<TcpProxy> links = fleet.node(node).links();
            links.forEach(disturbance);
            return () -> links.forEach(TcpProxy::restore);
        });
    }

    /** A slow listener while another container is stopped and started. */
    static Fault slowListener(int node, Duration each, int other) {
        return new Fault("slow listener", each).on(node, other).alone().doing(fleet -> {
            fleet.node(node).slow(Long.toString(each.toMillis()));
            Fault.End end = restarted(other).begin(fleet);
            return () -> {
                end.run();
                fleet.awaitSettled();
                fleet.node(node).release();
            };
        });
    }

    /** A listener does not return while another container is stopped and started; the others continue without it. */
    static Fault hungListener(int node, int other) {
        return new Fault("hung listener").on(node, other).alone().doing(fleet -> {
            fleet.node(node).slow("hang");
            Fault.End end = restarted(other).begin(fleet);
            return () -> {
                end.run();
                fleet.awaitSettledWithout(node);
                fleet.node(node).release();
            };
        });
    }

    /** A container is stopped cleanly while the end of another one is being settled. */
    static Fault stoppedInChange(int killed, int stopped, Duration hold) {
        return new Fault("stopped in change")
                .on(killed, stopped)
                .lasting(hold)
                .alone()
                .doing(fleet -> {
                    fleet.node(killed).kill();
                    fleet.awaitChanging(stopped);
                    Fault.End end = restarted(stopped).begin(fleet);
                    return () -> {
                        end.run();
                        fleet.node(killed).start();
                    };
                });
    }

    /** The coordinator is killed while it publishes, or is about to: its link is slow, and all have acknowledged. */
    static Fault coordinatorKilled(int stopped, Duration each, Duration hold) {
        return new Fault("coordinator killed", each)
                .on(stopped)
                .lasting(hold)
                .alone()
                .doing(fleet -> {
                    Node leader = fleet.node(fleet.leader());
                    Node other = fleet.node(stopped) == leader
                            ? fleet.node((stopped + 1) % fleet.nodes().size())
                            : fleet.node(stopped);
                    leader.links().forEach(link -> link.delay(each));
                    other.stop();
                    fleet.awaitChanging(fleet.nodes().indexOf(leader));
                    Limits.pass(each);
                    leader.kill();
                    return () -> {
                        leader.links().forEach(TcpProxy::restore);
                        leader.start();
                        other.awaitEnd();
                        other.start();
                    };
                });
    }

    /** A second process with the same instance id; it may be that the first one is killed meanwhile, and started after it. */
    static Fault duplicateId(int node, boolean takesOver, Duration hold) {
        Fault fault = new Fault("duplicate id", takesOver ? "takes over" : "is refused")
                .on(node)
                .lasting(hold)
                .alone()
                .doing(fleet -> {
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
                });
        return takesOver ? fault : fault.causing();
    }

    /** One instance evicts another one. */
    static Fault evicted(int node, int by) {
        return new Fault("evicted").on(node, by).doing(fleet -> {
            fleet.node(by).command("evict " + fleet.node(node).name());
            return fleet.node(by)::awaitDone;
        });
    }

    /** An instance is killed, evicted before its session has ended, and started again. */
    static Fault killedAndEvicted(int node, int by, Duration hold) {
        return new Fault("killed and evicted").on(node, by).lasting(hold).doing(fleet -> {
            fleet.node(node).kill();
            fleet.node(by).command("evict " + fleet.node(node).name());
            return () -> {
                fleet.node(by).awaitDone();
                fleet.node(node).start();
            };
        });
    }

    /** An instance gives up its seniority. */
    static Fault stoodDown(int node) {
        return ofCommand(new Fault("stood down"), node, "standdown");
    }

    /** A property changes a number of times at an interval. */
    static Fault propertyBurst(int node, int times, Duration every) {
        return ofCommand(
                        new Fault("property burst", times, every), node, "properties " + times + " " + every.toMillis())
                .causing(PROPERTIES_CHANGED);
    }

    /** One listener object is registered and removed a number of times; each of its calls takes time. */
    static Fault listenersComeAndGo(int node, int times, Duration call, Duration stay) {
        return ofCommand(
                        new Fault("listeners come and go", times, call, stay),
                        node,
                        "listeners " + times + " " + call.toMillis() + " " + stay.toMillis())
                .causing(TOPOLOGY_INIT);
    }

    private static Fault ofCommand(Fault fault, int node, String command) {
        return fault.on(node).doing(fleet -> {
            fleet.node(node).command(command);
            return fleet.node(node)::awaitDone;
        });
    }
}
