// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.time.Duration;
import java.util.List;

/** Actions of operators through the services of a container. */
sealed interface OperatorFault extends Fault {

    /** One instance evicts another one. */
    record Evicted(int node, int by) implements OperatorFault {
        @Override
        public List<Integer> nodes() {
            return List.of(node, by);
        }

        @Override
        public End begin(Fleet fleet) throws Exception {
            fleet.node(by).command("evict " + fleet.node(node).name());
            return fleet.node(by)::awaitDone;
        }
    }

    /** An instance gives up its seniority. */
    record StoodDown(int node) implements OperatorFault {
        @Override
        public List<Integer> nodes() {
            return List.of(node);
        }

        @Override
        public End begin(Fleet fleet) throws Exception {
            fleet.node(node).command("standdown");
            return fleet.node(node)::awaitDone;
        }
    }

    /** An instance is killed, evicted before its session has ended, and started again. */
    record KilledAndEvicted(int node, int by, Duration hold) implements OperatorFault {
        @Override
        public List<Integer> nodes() {
            return List.of(node, by);
        }

        @Override
        public End begin(Fleet fleet) throws Exception {
            fleet.node(node).kill();
            fleet.node(by).command("evict " + fleet.node(node).name());
            return () -> {
                fleet.node(by).awaitDone();
                fleet.node(node).start();
            };
        }
    }
}
