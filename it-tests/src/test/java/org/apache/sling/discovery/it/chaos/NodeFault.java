// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.sling.discovery.testing.server.TcpProxy;

/** Faults of containers. */
sealed interface NodeFault extends Fault {

    /** {@code kill -9}, and a new start after a while, which may be zero. */
    record Killed(int node, Duration hold) implements NodeFault {
        @Override
        public List<Integer> nodes() {
            return List.of(node);
        }

        @Override
        public End begin(Fleet fleet) {
            fleet.node(node).kill();
            return fleet.node(node)::start;
        }
    }

    /** A clean stop and a new start. */
    record Restarted(int node) implements NodeFault {
        @Override
        public List<Integer> nodes() {
            return List.of(node);
        }

        @Override
        public End begin(Fleet fleet) {
            Node stopped = fleet.node(node);
            stopped.stop();
            return () -> {
                stopped.awaitEnd();
                stopped.start();
            };
        }
    }

    /** SIGSTOP, and SIGCONT after a while. */
    record Paused(int node, Duration hold) implements NodeFault {
        @Override
        public List<Integer> nodes() {
            return List.of(node);
        }

        @Override
        public End begin(Fleet fleet) throws Exception {
            return fleet.node(node).pause()::close;
        }
    }

    /** No connection to any server. */
    record CutOff(int node, Duration hold) implements NodeFault {
        @Override
        public List<Integer> nodes() {
            return List.of(node);
        }

        @Override
        public End begin(Fleet fleet) {
            List<TcpProxy> links = fleet.node(node).links();
            links.forEach(TcpProxy::cut);
            return () -> links.forEach(TcpProxy::restore);
        }
    }

    /** Connections stay, but what the container sends is lost. */
    record RequestsLost(int node, Duration hold) implements NodeFault {
        @Override
        public List<Integer> nodes() {
            return List.of(node);
        }

        @Override
        public End begin(Fleet fleet) {
            List<TcpProxy> links = fleet.node(node).links();
            links.forEach(TcpProxy::loseRequests);
            return () -> links.forEach(TcpProxy::restore);
        }
    }

    /** Connections stay, but what the servers send is lost. */
    record RepliesLost(int node, Duration hold) implements NodeFault {
        @Override
        public List<Integer> nodes() {
            return List.of(node);
        }

        @Override
        public End begin(Fleet fleet) {
            List<TcpProxy> links = fleet.node(node).links();
            links.forEach(TcpProxy::loseReplies);
            return () -> links.forEach(TcpProxy::restore);
        }
    }

    /** Everything arrives later. */
    record Delayed(int node, Duration each, Duration hold) implements NodeFault {
        @Override
        public List<Integer> nodes() {
            return List.of(node);
        }

        @Override
        public Set<String> mayCause() {
            return each.toMillis() <= 50 ? Set.of() : Recording.Received.TYPES;
        }

        @Override
        public End begin(Fleet fleet) {
            List<TcpProxy> links = fleet.node(node).links();
            links.forEach(link -> link.delay(each));
            return () -> links.forEach(TcpProxy::restore);
        }
    }

    /** A slow listener while another container is stopped and started. */
    record SlowListener(int node, Duration each, int other) implements NodeFault {
        @Override
        public List<Integer> nodes() {
            return List.of(node, other);
        }

        @Override
        public boolean isAlone() {
            return true;
        }

        @Override
        public End begin(Fleet fleet) throws Exception {
            fleet.node(node).slow(Long.toString(each.toMillis()));
            End end = new Restarted(other).begin(fleet);
            return () -> {
                end.run();
                fleet.awaitSettled();
                fleet.node(node).release();
            };
        }
    }

    /** A listener does not return while another container is stopped and started; the others continue without it. */
    record HungListener(int node, int other) implements NodeFault {
        @Override
        public List<Integer> nodes() {
            return List.of(node, other);
        }

        @Override
        public boolean isAlone() {
            return true;
        }

        @Override
        public End begin(Fleet fleet) throws Exception {
            fleet.node(node).slow("hang");
            End end = new Restarted(other).begin(fleet);
            return () -> {
                end.run();
                fleet.awaitSettledWithout(node);
                fleet.node(node).release();
            };
        }
    }

    /** A container is stopped cleanly while the end of another one is being settled. */
    record StoppedInChange(int killed, int stopped, Duration hold) implements NodeFault {
        @Override
        public List<Integer> nodes() {
            return List.of(killed, stopped);
        }

        @Override
        public boolean isAlone() {
            return true;
        }

        @Override
        public End begin(Fleet fleet) {
            fleet.node(killed).kill();
            fleet.awaitChanging(stopped);
            End end = new Restarted(stopped).begin(fleet);
            return () -> {
                end.run();
                fleet.node(killed).start();
            };
        }
    }

    /** The coordinator is killed while it publishes, or is about to: its link is slow, and all have acknowledged. */
    record CoordinatorKilled(int stopped, Duration each, Duration hold) implements NodeFault {
        @Override
        public List<Integer> nodes() {
            return List.of(stopped);
        }

        @Override
        public boolean isAlone() {
            return true;
        }

        @Override
        public End begin(Fleet fleet) {
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
        }
    }

    /** A second process with the same instance id; it may be that the first one is killed meanwhile, and started after it. */
    record DuplicateId(int node, boolean takesOver, Duration hold) implements NodeFault {
        @Override
        public List<Integer> nodes() {
            return List.of(node);
        }

        @Override
        public boolean isAlone() {
            return true;
        }

        @Override
        public Set<String> mayCause() {
            return takesOver ? Recording.Received.TYPES : Set.of();
        }

        @Override
        public End begin(Fleet fleet) throws Exception {
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
        }
    }
}
