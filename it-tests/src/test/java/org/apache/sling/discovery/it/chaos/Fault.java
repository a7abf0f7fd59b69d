// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.sling.discovery.TopologyEvent;

/**
 * A disturbance of the processes of a run, which is ended again. Faults with different targets can be combined. Targets are
 * counted from 0. {@link NodeFaults} and {@link StoreFaults} make them.
 */
final class Fault {

    static final List<TopologyEvent.Type> ANY = List.of(TopologyEvent.Type.values());

    private final String kind;
    private final List<Object> details;
    private List<Integer> nodes = List.of();
    private Duration hold = Duration.ZERO;
    private List<TopologyEvent.Type> mayCause = ANY;
    private boolean foreign;
    private boolean alone;
    private boolean ofServers;
    private Begin begin;

    /**
     * Makes a fault that does nothing yet and may cause any event.
     *
     * @param kind its name in the report
     * @param details what distinguishes it from others of the kind
     */
    Fault(String kind, Object... details) {
        this.kind = kind;
        this.details = List.of(details);
    }

    /** Names the affected containers. */
    Fault on(Integer... affected) {
        nodes = List.copyOf(Arrays.asList(affected));
        return this;
    }

    /** Makes it last for that long at least. */
    Fault lasting(Duration time) {
        hold = time;
        return this;
    }

    /** Names the only types of events that it may cause. */
    Fault causing(TopologyEvent.Type... types) {
        mayCause = List.of(types);
        return this;
    }

    /** Excludes other faults at the same time. */
    Fault alone() {
        alone = true;
        return this;
    }

    /** Says that it writes below the root of discovery. */
    Fault foreign() {
        foreign = true;
        return this;
    }

    /** Says that it affects servers: other faults begin before it, because they may need servers. */
    Fault ofServers() {
        ofServers = true;
        return this;
    }

    Fault doing(Begin what) {
        begin = what;
        return this;
    }

    /** Begins the disturbance, and returns its end. */
    End begin(Fleet fleet) throws Exception {
        return begin.in(fleet);
    }

    String kind() {
        return kind;
    }

    List<Integer> nodes() {
        return nodes;
    }

    Duration hold() {
        return hold;
    }

    List<TopologyEvent.Type> mayCause() {
        return mayCause;
    }

    boolean isForeign() {
        return foreign;
    }

    boolean isAlone() {
        return alone;
    }

    boolean isOfServers() {
        return ofServers;
    }

    @Override
    public String toString() {
        return kind + details + (nodes.isEmpty() ? "" : " on " + nodes) + (hold.isZero() ? "" : " for " + hold);
    }

    /** The begin of a disturbance. */
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
