// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

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
        findings.add(new Finding(status(report.state()), report.sentence()));
        findings.addAll(attention(report));
        findings.sort(Comparator.comparing(Finding::status).reversed());
        return new Health(findings);
    }

    /** Returns what an operator must look at, in any state: the worst first, empty when there is nothing. */
    public static List<Finding> attention(TopologyReport report) {
        return Stream.of(
                        report.listeners().stream()
                                .filter(listener -> listener.busyMillis() >= LISTENER_LIMIT_MILLIS)
                                .map(Health::hanging),
                        failing(report),
                        report.situation().access().flatMap(StoreAccess::problem).stream()
                                .map(each -> new Finding(Status.WARN, each)),
                        DifferentSettings.of(report).map(each -> new Finding(Status.WARN, each)),
                        report.problems().stream().map(problem -> new Finding(Status.WARN, problem)))
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
                        Status.WARN,
                        "connector to " + each.url() + " has been failing for "
                                + (report.generatedMillis() - each.times().sinceMillis()) / 1_000 + " s: "
                                + each.sentence()));
    }

    private static Finding hanging(TopologyReport.Listener listener) {
        return new Finding(
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
     * @param status how bad it is
     * @param sentence what was found, for display
     */
    public record Finding(Status status, String sentence) {}
}
