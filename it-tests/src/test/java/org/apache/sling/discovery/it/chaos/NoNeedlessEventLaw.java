// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos;

import java.util.List;
import org.apache.sling.discovery.it.chaos.Recording.Received;

/**
 * L9: no event without a disturbance that can be its cause; none about equal properties. A standstill of the machine is a
 * disturbance too.
 */
final class NoNeedlessEventLaw implements Law {

    /**
     * A machine that did not run for that long may have cost an instance its lease: a request after a third of the shortest
     * session timeout, 3 s, must be answered within another third.
     */
    private static final long LONG_GAP_NANOS = 700_000_000L;

    /** The time before an event in which several short gaps count together: about one lease. */
    private static final long LEASE_NANOS = 3_000_000_000L;

    /** How long after such a gap events may be its consequence. */
    private static final long AFTERMATH_NANOS = 10_000_000_000L;

    @Override
    public String name() {
        return "L9 No needless event";
    }

    @Override
    public List<String> objections(Recording recording) {
        return recording.received().stream()
                .filter(call -> needless(call, recording))
                .map(call -> call + (call.type().equals(Received.PROPERTIES) ? " with equal properties" : "")
                        + " although nothing had happened")
                .toList();
    }

    private static boolean needless(Received call, Recording recording) {
        return call.type().equals(Received.PROPERTIES) && call.equalProperties()
                || recording.windows().stream()
                                .noneMatch(window ->
                                        window.mayCause().contains(call.type()) && window.covers(call.entered()))
                        && recording.standstill(call.entered() - LEASE_NANOS, call.entered()) < LONG_GAP_NANOS
                        && recording.gaps().stream()
                                .noneMatch(gap -> gap.after() - gap.before() >= LONG_GAP_NANOS
                                        && gap.before() <= call.entered()
                                        && call.entered() <= gap.after() + AFTERMATH_NANOS);
    }
}
