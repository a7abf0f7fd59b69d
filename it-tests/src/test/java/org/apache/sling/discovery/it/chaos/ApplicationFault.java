// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Actions of applications in a container. They must not change the membership. */
sealed interface ApplicationFault extends Fault {

    /** A property changes a number of times at an interval. */
    record PropertyBurst(int node, int times, Duration every) implements ApplicationFault {
        @Override
        public List<Integer> nodes() {
            return List.of(node);
        }

        @Override
        public Set<String> mayCause() {
            return Set.of(Recording.Received.PROPERTIES);
        }

        @Override
        public End begin(Fleet fleet) throws Exception {
            fleet.node(node).command("properties " + times + " " + every.toMillis());
            return fleet.node(node)::awaitDone;
        }
    }

    /** One listener object is registered and removed a number of times; each of its calls takes time. */
    record ListenersComeAndGo(int node, int times, Duration call, Duration stay) implements ApplicationFault {
        @Override
        public List<Integer> nodes() {
            return List.of(node);
        }

        @Override
        public Set<String> mayCause() {
            return Set.of(Recording.Received.INIT);
        }

        @Override
        public End begin(Fleet fleet) throws Exception {
            fleet.node(node).command("listeners " + times + " " + call.toMillis() + " " + stay.toMillis());
            return fleet.node(node)::awaitDone;
        }
    }
}
