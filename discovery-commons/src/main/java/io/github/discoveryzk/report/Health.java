// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.report.TopologyReport.ExplainedState;
import io.github.discoveryzk.report.TopologyReport.Instance;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The judgement on a report, for monitoring of a container. All consumers use this class, so that they agree.
 *
 * @param findings what was found, the worst first, never empty
 */
public record Health(List<Finding> findings) {

    /** A listener that is busy with one event for longer than this, in milliseconds, counts as hanging. */
    public static final long LISTENER_LIMIT_MILLIS = 5_000;

    private static final Set<ReasonCode> HELD = Set.of(ReasonCode.HELD, ReasonCode.HELD_BY_PREDECESSOR);

    public Health {
        findings = List.copyOf(findings);
    }

    /** Returns the judgement on a report. */
    public static Health of(TopologyReport report) {
        return of(report, Concern.SETTLED, attention(report));
    }

    /** Returns the judgement on one concern. */
    public static Health of(TopologyReport report, Concern concern) {
        List<Finding> about = attention(report).stream()
                .filter(finding -> finding.concern() == concern)
                .toList();
        return of(report, concern, about);
    }

    private static Health of(TopologyReport report, Concern concern, List<Finding> attention) {
        List<Finding> findings = new ArrayList<>(attention);
        Severity status = status(report, concern);
        if (status != Severity.OK || concern == Concern.SETTLED) {
            boolean over = concern == Concern.LEASE && status == Severity.CRITICAL;
            String sentence = (over ? "the lease is over: " : "") + report.sentence();
            Optional<Finding> cause = attention.stream()
                    .filter(finding -> isReason(finding, report))
                    .findFirst();
            cause.ifPresent(findings::remove);
            findings.add(new Finding(cause.map(Finding::concern).orElse(concern), status, sentence));
        } else if (findings.isEmpty()) {
            findings.add(new Finding(concern, Severity.OK, "nothing needs attention"));
        }
        findings.sort(Comparator.comparing(Finding::status).reversed());
        return new Health(findings);
    }

    /** Returns what the state of the instance means for a concern. */
    private static Severity status(TopologyReport report, Concern concern) {
        State state = report.state();
        return switch (concern) {
            case CONNECTED -> connected(report);
            case SETTLED -> has(report, Set.of(ReasonCode.UNREADABLE)) ? Severity.CRITICAL : status(state);
            case LEASE -> {
                boolean over = state.isHolding()
                        && report.view().filter(view -> !view.current()).isPresent();
                Severity silent = state == State.SUSPENDED ? Severity.WARN : Severity.OK;
                yield over || state == State.CUT_OFF ? Severity.CRITICAL : silent;
            }
            case IDENTITY -> has(report, HELD) ? Severity.CRITICAL : Severity.OK;
            default -> Severity.OK; // What there is to say about it needs attention in any case.
        };
    }

    /** Returns whether a finding is the reason of the state, which is said once, with its own concern. */
    public static boolean isReason(Finding finding, TopologyReport report) {
        return isReason(finding, report.status());
    }

    /** Returns whether a finding is the reason of a state. */
    public static boolean isReason(Finding finding, ExplainedState status) {
        return status.reasons().stream().anyMatch(reason -> reason.arguments().contains(finding.sentence()));
    }

    private static boolean has(TopologyReport report, Set<ReasonCode> codes) {
        return report.status().reasons().stream().anyMatch(reason -> codes.contains(reason.code()));
    }

    /**
     * An instance whose readiness ends with each interruption would lose its requests because of the store. So this is never worse than a
     * warning once there was a connection.
     */
    private static Severity connected(TopologyReport report) {
        boolean never = report.recent().transitions().stream().allMatch(past -> past.state() == State.CONNECTING);
        return switch (report.state()) {
            case CONNECTING, CUT_OFF, SUSPENDED -> never ? Severity.TEMPORARILY_UNAVAILABLE : Severity.WARN;
            default -> Severity.OK;
        };
    }

    /** Returns what an operator must look at, in any state: the worst first, empty when there is nothing. */
    public static List<Finding> attention(TopologyReport report) {
        return Stream.of(
                        report.listeners().stream()
                                .filter(listener -> listener.busyMillis() >= LISTENER_LIMIT_MILLIS)
                                .map(listener -> hanging(listener, report.state())),
                        Finding.warnings(Concern.OTHER, failing(report)),
                        Finding.warnings(
                                Concern.ACCESS, report.situation().access().flatMap(StoreAccess::problem).stream()),
                        Finding.warnings(Concern.OTHER, DifferentSettings.of(report)),
                        report.noted().stream())
                .flatMap(each -> each)
                .toList();
    }

    /** Returns what an operator does about a state, a change that goes on or a member that is gone; empty if there is nothing to say. */
    public static Optional<Reason> advice(TopologyReport report) {
        if (isHeldUpHere(report)) {
            return Optional.of(Reason.of(ReasonCode.HANGS_HERE));
        }
        return switch (report.state()) {
            case SETTLED -> atRest(report);
            case JOINING, CHANGING -> hanging(report).or(() -> Optional.of(Reason.of(ReasonCode.PASSES))
                    .filter(any -> attention(report).isEmpty()
                            && status(report, Concern.SETTLED) == Severity.TEMPORARILY_UNAVAILABLE));
            case CONNECTING, CUT_OFF -> Optional.of(Reason.of(
                    isLong(report) || notes(report, Concern.SERVERS) ? ReasonCode.REACH_STORE : ReasonCode.PASSES));
            case REFUSED -> Optional.of(Reason.of(
                    has(report, Set.of(ReasonCode.HELD))
                            ? ReasonCode.LEAVE_ID
                            : has(report, Set.of(ReasonCode.INCOMPATIBLE))
                                    ? ReasonCode.UPGRADE_OTHERS
                                    : ReasonCode.PASSES));
            case QUARANTINED -> Optional.of(Reason.of(ReasonCode.FIND_CAUSE));
            case SUSPENDED, EXCLUDED -> Optional.of(Reason.of(ReasonCode.PASSES));
            case STOPPED -> Optional.empty();
        };
    }

    private static boolean notes(TopologyReport report, Concern concern) {
        return report.noted().stream().anyMatch(each -> each.concern() == concern);
    }

    private static boolean isLong(TopologyReport report) {
        return report.generatedMillis() - report.status().sinceMillis() >= LISTENER_LIMIT_MILLIS;
    }

    private static Optional<Reason> atRest(TopologyReport report) {
        List<Instance> gone = report.crashed();
        if (!gone.isEmpty()) {
            boolean mayRun = gone.stream()
                    .flatMap(each -> each.status().why().stream())
                    .anyMatch(why -> why.code() == ReasonCode.SESSION_ENDED);
            return Optional.of(Reason.of(
                    mayRun ? ReasonCode.LOOK_AFTER : ReasonCode.START_AGAIN,
                    gone.stream().map(Instance::id).toList()));
        }
        return Stream.concat(report.outsiders().stream(), report.recentlyLeft().stream())
                .filter(each -> each.status().state() == InstanceState.EXCLUDED)
                .findFirst()
                .map(Health::elsewhere)
                .or(() -> report.outsiders().stream().flatMap(Health::copy).findFirst())
                .or(() -> Optional.of(Reason.of(ReasonCode.SEE_ATTENTION))
                        .filter(any -> !attention(report).isEmpty()));
    }

    private static Optional<Reason> hanging(TopologyReport report) {
        long limit = report.generatedMillis() - LISTENER_LIMIT_MILLIS;
        // What an instance was waited for before an outage does not count after it.
        return report.concerned(InstanceState.AWAITED).stream()
                .filter(each -> !each.local() && isLong(report))
                .filter(each -> each.status().sinceMillis().orElse(limit) <= limit)
                .map(Health::elsewhere)
                .findFirst();
    }

    private static Stream<Reason> copy(Instance outsider) {
        ProcessInfo process = outsider.process();
        return outsider.status().why().stream()
                .filter(each -> each.code() == ReasonCode.ID_IS_HELD)
                .map(any -> Reason.of(ReasonCode.STOP_COPY, process.pid(), process.host()));
    }

    private static Reason elsewhere(Instance instance) {
        return Reason.of(
                instance.status().listener().isPresent() ? ReasonCode.HANGS_ELSEWHERE : ReasonCode.SILENT_ELSEWHERE,
                instance.id());
    }

    /** Returns whether a listener of this instance hangs, so that a restart of its container is what ends the wait. */
    public static boolean isHeldUpHere(TopologyReport report) {
        return report.listeners().stream().anyMatch(each -> each.busyMillis() >= LISTENER_LIMIT_MILLIS);
    }

    private static Severity status(State state) {
        return switch (state) {
            case SETTLED -> Severity.OK;
            case SUSPENDED -> Severity.WARN;
            case CONNECTING, JOINING, CHANGING, STOPPED -> Severity.TEMPORARILY_UNAVAILABLE;
            case REFUSED, QUARANTINED, EXCLUDED, CUT_OFF -> Severity.CRITICAL;
        };
    }

    /** A connector may fail for a while without an effect: its announcement is kept for the ping timeout. */
    private static Stream<String> failing(TopologyReport report) {
        ConnectorReport connectors = report.connectors();
        return connectors.outgoing().stream()
                .filter(each -> each.state() == ConnectorReport.ConnectorState.FAILING)
                .filter(each -> report.generatedMillis() - each.times().sinceMillis() > connectors.pingTimeoutMillis())
                .map(each -> "connector to " + each.url() + " has been failing for "
                        + (report.generatedMillis() - each.times().sinceMillis()) / 1_000 + " s: " + each.sentence());
    }

    private static Finding hanging(TopologyReport.Listener listener, State state) {
        return new Finding(
                Concern.LISTENERS,
                Severity.CRITICAL,
                "has not returned for " + listener.busyMillis() / 1_000 + " s: listener " + listener.name()
                        + (state == State.EXCLUDED
                                ? "; the others went on without this instance"
                                : "; a change waits for it until the settle timeout, and goes on without this instance"));
    }

    /** Returns the status of the worst finding. */
    public Severity status() {
        return findings.get(0).status();
    }

    /** How well an instance is, from good to bad. */
    public enum Severity {
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
    public record Finding(Concern concern, Severity status, String sentence) {

        /** Returns warnings about one concern: what, where, and what to do. */
        public static Stream<Finding> warnings(Concern concern, Stream<String> sentences) {
            return sentences.map(sentence -> new Finding(concern, Severity.WARN, sentence));
        }
    }
}
