// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.section;

import static io.github.discoveryzk.webconsole.content.Line.line;

import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.report.Change;
import io.github.discoveryzk.report.Health;
import io.github.discoveryzk.report.InstanceState;
import io.github.discoveryzk.report.InstanceStatus;
import io.github.discoveryzk.report.Recent.Event;
import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.StoreAccess;
import io.github.discoveryzk.report.StoreConnection;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.report.TopologyReport.ExplainedState;
import io.github.discoveryzk.report.TopologyReport.Instance;
import io.github.discoveryzk.report.TopologyReport.Listener;
import io.github.discoveryzk.report.TopologyReport.View;
import io.github.discoveryzk.webconsole.content.Fact;
import io.github.discoveryzk.webconsole.content.Line;
import io.github.discoveryzk.webconsole.content.Look;
import io.github.discoveryzk.webconsole.content.Part;
import io.github.discoveryzk.webconsole.content.Phrases;
import io.github.discoveryzk.webconsole.content.Section;
import io.github.discoveryzk.webconsole.content.Section.Facts;
import io.github.discoveryzk.webconsole.content.Section.Note;
import io.github.discoveryzk.webconsole.content.Span.Style;
import io.github.discoveryzk.webconsole.content.Table;
import io.github.discoveryzk.webconsole.content.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The state of this instance, the answers to the first questions of an operator, and the reasons. */
public final class StatusSections {
    private static final int MAX_NAMED = 12;
    private static final int REASON_LENGTH = 300;

    private StatusSections() {}

    /** Returns the state with its meaning. */
    public static List<Fact> state(TopologyReport report) {
        Line since = line().text(Look.of(report.state()).word() + " since ")
                .time(report.status().sinceMillis());
        return List.of(new Fact("State", since), new Fact("What it means", meaning(report, line())));
    }

    /** Returns why the state is what it is, and what follows when. */
    public static Line meaning(TopologyReport report, Line since) {
        Line sentence = line().because(report.status().reasons()).and(since);
        return report.status()
                .countdown()
                .map(countdown -> sentence.text("; ").remaining(countdown))
                .orElse(sentence);
    }

    /**
     * Returns the answers: why it is changing and for which instances it waits, who leads, what changed last, and what follows if
     * this instance stops.
     */
    public static List<Fact> answers(TopologyReport report) {
        List<Fact> facts = new ArrayList<>();
        if (report.change().isPresent()) {
            Change change = report.change().get();
            if (report.view().isEmpty()) {
                concerned(facts, "Joining", report, InstanceState.JOINING);
            } else if (report.state() != State.CUT_OFF) {
                facts.add(new Fact("Why", line().because(change.cause())));
            }
            // The sentence of who collects the acknowledgements has named them.
            if (report.status().reasons().stream().noneMatch(each -> each.code() == ReasonCode.ACKNOWLEDGEMENTS)) {
                concerned(facts, "Waiting for", report, InstanceState.AWAITED);
            }
            concerned(facts, "Acknowledged", report, InstanceState.ACKNOWLEDGED);
        }
        leader(report).ifPresent(facts::add);
        report.situation()
                .lastChange()
                .map(change ->
                        new Fact(report.change().isPresent() ? "Last change before" : "Last change", settled(change)))
                .ifPresent(facts::add);
        ifStopped(report).map(then -> new Fact("If this instance stops", then)).ifPresent(facts::add);
        Health.advice(report)
                .map(advice -> new Fact("To do", line().because(List.of(advice))))
                .ifPresent(facts::add);
        return facts;
    }

    private static void concerned(List<Fact> facts, String title, TopologyReport report, InstanceState... states) {
        List<Instance> instances = report.concerned(states);
        if (!instances.isEmpty()) {
            facts.add(new Fact(title, line().list(instances, "; ", MAX_NAMED, StatusSections::concerned)));
        }
    }

    /** Returns the instance, with the listener for which all wait. */
    private static Line concerned(Instance instance) {
        Line named = line().instance(instance.id());
        InstanceStatus status = instance.status();
        if (status.state() != InstanceState.AWAITED || status.listener().isEmpty()) {
            return named;
        }
        Line listener = named.text(": listener ").foreign(status.listener().get(), REASON_LENGTH);
        return status.sinceMillis().isPresent()
                ? listener.text(", for ").elapsed(status.sinceMillis().getAsLong())
                : listener;
    }

    private static Optional<Fact> leader(TopologyReport report) {
        return report.concerned(InstanceState.MOVED_ON).stream()
                .filter(Instance::leader)
                .findFirst()
                .map(leader -> new Fact("Leader", line().instance(leader.id())))
                .or(() -> report.view()
                        .map(held -> new Fact(
                                held.current() ? "Leader" : "Last leader",
                                line().instance(held.leaderId())
                                        .text(" since ")
                                        .time(held.established().head().leaderSinceMillis()))));
    }

    /** Returns what follows if this instance stops; empty if it does not know. */
    public static Optional<Line> ifStopped(TopologyReport report) {
        return switch (report.state()) {
            case SETTLED -> Optional.of(nextLeader(report)
                    .map(next -> line().instance(next.id()).text(next.leader() ? " stays the leader" : " leads"))
                    .orElse(line().text("no instance is left to lead")));
            case JOINING, CHANGING -> Optional.of(line().text("the change goes on without it"));
            case EXCLUDED, QUARANTINED, REFUSED -> Optional.of(line().text("nothing changes for the others"));
            case SUSPENDED -> Optional.of(line().text("the others go on when its session has ended"));
            case CUT_OFF -> Optional.of(line().text("its view is over already"));
            case CONNECTING, STOPPED -> Optional.empty();
        };
    }

    /** Returns which instance leads if this one stops; empty if none is left, or unless it is settled. */
    public static Optional<Instance> nextLeader(TopologyReport report) {
        return report.state() == State.SETTLED ? nextMember(report) : Optional.empty();
    }

    private static Optional<Instance> nextMember(TopologyReport report) {
        return report.clusters().stream()
                .filter(TopologyReport.Cluster::local)
                .flatMap(cluster -> cluster.instances().stream())
                .filter(instance -> !instance.local())
                .findFirst();
    }

    private static Line settled(Change.Settled change) {
        return line().because(change.cause())
                .text(", ")
                .time(change.settledMillis())
                .text(", settled here after " + Times.duration(change.tookMillis()) + ", ")
                .view("view ", change.number());
    }

    /** Returns where this instance is: its cluster, its view and its session. */
    public static List<Fact> situation(TopologyReport report) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("This instance", line().instance(report.localInstanceId())));
        facts.add(Fact.of("Cluster", report.source().address()));
        if (report.view().isPresent()) {
            View view = report.view().get();
            facts.add(new Fact(
                    "View",
                    line().number(view.number())
                            .text((view.current() ? "" : ", not current") + ", held since ")
                            .time(view.sinceMillis())
                            .text(", token ")
                            .number(view.established().token())));
            facts.add(new Fact(
                    "Why that view came", line().because(view.established().cause())));
        } else {
            facts.add(Fact.of("View", "none yet"));
        }
        facts.add(new Fact(
                "Session",
                report.situation()
                        .connection()
                        .map(StatusSections::session)
                        .orElse(line().text("no session with the store"))));
        report.situation()
                .access()
                .map(access -> Fact.of("Access rights", access.words()))
                .ifPresent(facts::add);
        return facts;
    }

    /** Returns what a comparison of all access rights has found, or set. */
    public static Section access(StoreAccess access) {
        Table<StoreAccess.DifferingNode> nodes = Table.of("dz-access", access.nodes())
                .heading("Node", node -> line().foreign(node.path()))
                .column("Rights", node -> line().foreign(node.found()))
                .column("Not set", node -> line().foreign(node.reason().orElse("")));
        Facts facts = new Facts(List.of(Fact.of("Compared", access.words())));
        return new Section("dz-access", "Access rights of the nodes in the store", List.of(facts, nodes));
    }

    private static Line session(StoreConnection connection) {
        Line session = line().foreign(connection.session())
                .text(", timeout " + Times.duration(connection.timeoutMillis()))
                .text(connection.usable() ? ", connected" : ", not connected now");
        if (connection.roundTripMillis().isPresent()) {
            long millis = connection.roundTripMillis().getAsLong();
            session = session.text(", last round trip " + Times.duration(millis));
        }
        return connection.heardMillis().isPresent()
                ? session.text(", last completed request ")
                        .time(connection.heardMillis().getAsLong())
                : session;
    }

    /** Returns the problems that an operator has to solve, in the words of the health check; the state says its reason itself. */
    public static List<Line> problems(TopologyReport report) {
        return Health.attention(report).stream()
                .filter(finding -> !Health.isReason(finding, report))
                .map(finding -> line().foreign(finding.sentence()))
                .toList();
    }

    /** Returns what explains the state of this instance: the view, the session, listeners, transitions and events. */
    public static List<Section> explanation(TopologyReport report) {
        List<Fact> facts = new ArrayList<>(state(report));
        facts.addAll(situation(report));
        List<Listener> listeners = report.listeners();
        List<ExplainedState> transitions = report.recent().transitions();
        return List.of(
                new Section("dz-explain", "Explanation", List.of(new Facts(facts))),
                counted("dz-listening", "Listeners", listeners.size(), listeners(listeners)),
                counted("dz-states", "Last transitions", transitions.size(), transitions(transitions)),
                events(report.recent().events()));
    }

    private static Section counted(String id, String title, int count, Part part) {
        return new Section(id, title, OptionalInt.of(count), List.of(part));
    }

    /** Returns what the listeners of this instance are doing. */
    public static Part listeners(List<Listener> listeners) {
        return listeners.isEmpty()
                ? new Note("No topology event listener is registered on this instance.")
                : Table.of("dz-listeners", listeners)
                        .heading("Listener", listener -> line().foreign(listener.name()))
                        .column("State", listener -> line().text(Phrases.listener(listener)))
                        .mark("class", listener -> listener.pending() > 0 ? "dz-busy-row" : "dz-other");
    }

    /** Returns the events sent to listeners. */
    public static Section events(List<Event> events) {
        Table<Event> table = Table.of("", events)
                .column("When", event -> line().time(event.millis()))
                .column("Event", event -> line().styled(Style.CODE, line().foreign(event.type())))
                .column("View", event -> line().number(event.viewNumber()))
                .wide("What changed", event -> line().because(event.details()));
        Part part = orNote(table, "No event has been delivered to a listener yet.");
        return new Section("dz-events", "Last events of this instance", List.of(part));
    }

    /** Returns the transitions between states. */
    public static Part transitions(List<ExplainedState> transitions) {
        Table<ExplainedState> table = Table.of("dz-transitions", transitions)
                .column("When", transition -> line().time(transition.sinceMillis()))
                .column("To", transition -> line().state(Look.of(transition.state())))
                .wide("Explanation", StatusSections::explanation);
        return orNote(table, "The state has not changed yet.");
    }

    /** Returns the explanation with the countdown as it was then. */
    private static Line explanation(ExplainedState transition) {
        Line explanation = line().because(transition.reasons());
        return transition
                .countdown()
                .map(each -> explanation.text("; ").foreign(each.words(transition.sinceMillis())))
                .orElse(explanation);
    }

    private static Part orNote(Table<?> table, String absent) {
        return table.rows().isEmpty() ? new Note(absent) : table;
    }
}
