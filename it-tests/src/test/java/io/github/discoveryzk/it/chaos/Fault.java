// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.sling.discovery.TopologyEvent;

/**
 * A disturbance of the processes of a run, which is ended again. Faults with different targets can be combined. Targets are
 * counted from 0. {@link NodeFaults} and {@link StoreFaults} make them. Immutable.
 *
 * @param kind its name in the report
 * @param details what distinguishes it from others of the kind
 * @param nodes the affected containers
 * @param hold how long it lasts at least
 * @param mayCause the only types of events that it may cause
 * @param traits what else there is to know
 * @param begin begins it
 */
record Fault(
        String kind,
        List<Object> details,
        List<Integer> nodes,
        Duration hold,
        List<TopologyEvent.Type> mayCause,
        Set<Trait> traits,
        Begin begin) {

    static final List<TopologyEvent.Type> ANY = List.of(TopologyEvent.Type.values());

    enum Trait {
        /** It excludes other faults at the same time. */
        ALONE,
        /** It writes below the root of discovery. */
        FOREIGN,
        /** It affects servers: other faults begin before it, because they may need servers. */
        OF_SERVERS
    }

    /** Returns a fault that may cause any event. */
    static Fault of(String kind, List<Object> details, Begin begin, Trait... traits) {
        return new Fault(kind, details, List.of(), Duration.ZERO, ANY, Set.of(traits), begin);
    }

    Fault on(Integer... affected) {
        return new Fault(kind, details, List.of(affected), hold, mayCause, traits, begin);
    }

    Fault lasting(Duration time) {
        return new Fault(kind, details, nodes, time, mayCause, traits, begin);
    }

    Fault causing(TopologyEvent.Type... types) {
        return new Fault(kind, details, nodes, hold, List.of(types), traits, begin);
    }

    boolean is(Trait trait) {
        return traits.contains(trait);
    }

    @Override
    public String toString() {
        return kind + details + (nodes.isEmpty() ? "" : " on " + nodes) + (hold.isZero() ? "" : " for " + hold);
    }

    /** The begin of a disturbance, which returns its end. */
    @FunctionalInterface
    interface Begin {
        End in(Fleet fleet) throws Exception;
    }

    /** The end of a disturbance. */
    @FunctionalInterface
    interface End {
        void run() throws Exception;
    }
}
