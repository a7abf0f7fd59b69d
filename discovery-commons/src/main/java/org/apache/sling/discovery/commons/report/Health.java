// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.ReasonCode;

/**
 * The judgement on a report, for monitoring of a container. All consumers use this class, so that they agree.
 *
 * @param findings what was found, the worst first, never empty
 */
public record Health(List<Finding> findings) {

    /** A listener that is busy with one event for longer than this, in milliseconds, counts as hanging. */
    public static final long LISTENER_LIMIT_MILLIS = 5_000;

    public Health {
        findings = List.copyOf(findings);
    }

    /** Returns the judgement on a report. */
    public static Health of(TopologyReport report) {
        List<Finding> findings = new ArrayList<>();
        findings.add(settled(report));
        findings.addAll(attention(report));
        return worstFirst(findings);
    }

    /** Returns the judgement on one concern. */
    public static Health of(TopologyReport report, Concern concern) {
        List<Finding> findings = new ArrayList<>();
        switch (concern) {
            case CONNECTED -> findings.add(connected(report));
            case SETTLED -> findings.add(settled(report));
            case LEASE -> findings.add(lease(report));
            case IDENTITY -> findings.add(identity(report));
            default -> {} // What there is to say about it needs attention in any case.
        }
        attention(report).stream()
                .filter(finding -> finding.concern() == concern)
                .forEach(findings::add);
        if (findings.isEmpty()) {
            findings.add(fine(concern));
        }
        return worstFirst(findings);
    }

    private static Health worstFirst(List<Finding> findings) {
        findings.sort(Comparator.comparing(Finding::status).reversed());
        return new Health(findings);
    }

    private static Finding fine(Concern concern) {
        return new Finding(concern, Status.OK, concern.fine());
    }

    /**
     * An instance whose readiness ends with each interruption would lose its requests because of the store. So this is never worse than a
     * warning once there was a connection.
     */
    private static Finding connected(TopologyReport report) {
        if (report.state() != State.CONNECTING
                && report.state() != State.CUT_OFF
                && report.state() != State.SUSPENDED) {
            return fine(Concern.CONNECTED);
        }
        boolean never = report.recent().transitions().stream().allMatch(past -> past.state() == State.CONNECTING);
        return new Finding(Concern.CONNECTED, never ? Status.TEMPORARILY_UNAVAILABLE : Status.WARN, report.sentence());
    }

    private static Finding settled(TopologyReport report) {
        return new Finding(Concern.SETTLED, status(report.state()), report.sentence());
    }

    private static Finding lease(TopologyReport report) {
        boolean over = report.state().isHolding()
                && report.view().filter(view -> !view.current()).isPresent();
        if (report.state() == State.CUT_OFF || over) {
            return new Finding(Concern.LEASE, Status.CRITICAL, "the lease is over: " + report.sentence());
        }
        return report.state() == State.SUSPENDED
                ? new Finding(Concern.LEASE, Status.WARN, report.sentence())
                : fine(Concern.LEASE);
    }

    private static Finding identity(TopologyReport report) {
        boolean held = report.status().reasons().stream()
                .map(Reason::code)
                .anyMatch(code -> code == ReasonCode.HELD || code == ReasonCode.HELD_BY_PREDECESSOR);
        return held ? new Finding(Concern.IDENTITY, Status.CRITICAL, report.sentence()) : fine(Concern.IDENTITY);
    }

    /** Returns what an operator must look at, in any state: the worst first, empty when there is nothing. */
    public static List<Finding> attention(TopologyReport report) {
        return Stream.of(
                        report.listeners().stream()
                                .filter(listener -> listener.busyMillis() >= LISTENER_LIMIT_MILLIS)
                                .map(Health::hanging),
                        failing(report),
                        report.situation().access().flatMap(StoreAccess::problem).stream()
                                .map(each -> new Finding(Concern.ACCESS, Status.WARN, each)),
                        DifferentSettings.of(report).map(each -> new Finding(Concern.OTHER, Status.WARN, each)),
                        report.noted().stream()
                                .map(noted -> new Finding(noted.concern(), Status.WARN, noted.sentence())))
                .flatMap(each -> each)
                .toList();
    }

    private static Status status(State state) {
        return switch (state) {
            case SETTLED -> Status.OK;
            case SUSPENDED -> Status.WARN;
            case CONNECTING, JOINING, CHANGING, STOPPED -> Status.TEMPORARILY_UNAVAILABLE;
            case REFUSED, QUARANTINED, EXCLUDED, CUT_OFF -> Status.CRITICAL;
        };
    }

    /** A connector may fail for a while without an effect: its announcement is kept for the ping timeout. */
    private static Stream<Finding> failing(TopologyReport report) {
        ConnectorReport connectors = report.connectors();
        return connectors.outgoing().stream()
                .filter(each -> each.state() == ConnectorReport.State.FAILING)
                .filter(each -> report.generatedMillis() - each.times().sinceMillis() > connectors.pingTimeoutMillis())
                .map(each -> new Finding(
                        Concern.OTHER,
                        Status.WARN,
                        "connector to " + each.url() + " has been failing for "
                                + (report.generatedMillis() - each.times().sinceMillis()) / 1_000 + " s: "
                                + each.sentence()));
    }

    private static Finding hanging(TopologyReport.Listener listener) {
        return new Finding(
                Concern.LISTENERS,
                Status.CRITICAL,
                "has not returned for " + listener.busyMillis() / 1_000 + " s: listener " + listener.name()
                        + "; each change waits for it until the settle timeout, then this instance is excluded");
    }

    /** Returns the status of the worst finding. */
    public Status status() {
        return findings.get(0).status();
    }

    /** How well an instance is, from good to bad. */
    public enum Status {
        /** The view is current and nothing needs attention. */
        OK,
        /** The view is current or will be, but an operator must look at something. */
        WARN,
        /** No view is current; that is expected to pass by itself. */
        TEMPORARILY_UNAVAILABLE,
        /** No view is current, or the next one will not be, until something outside of this service changes. */
        CRITICAL
    }

    /**
     * Something that was found.
     *
     * @param concern what it is about
     * @param status how bad it is
     * @param sentence what was found, for display
     */
    public record Finding(Concern concern, Status status, String sentence) {}
}
