// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.journal.Journal;
import org.apache.sling.discovery.base.journal.Standing;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.ReasonCode;
import org.apache.sling.discovery.commons.report.Change;
import org.apache.sling.discovery.commons.report.Change.Concerned;
import org.apache.sling.discovery.commons.report.IfStopped;
import org.apache.sling.discovery.commons.report.InstanceNames;
import org.apache.sling.discovery.commons.report.InstanceState;
import org.apache.sling.discovery.commons.report.InstanceStatus;
import org.apache.sling.discovery.commons.report.TopologyReport;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.commons.report.TopologyReport.State;

/** Describes the change that is going on, and what would follow if this instance stopped, from the states of the instances. */
final class ChangeAssembly {

    private static final int NAMED_IN_CAUSE = 12;

    /** The causes that lie in this instance; what happens to others meanwhile does not replace them. */
    private static final Set<ReasonCode> OWN_CAUSES = EnumSet.range(ReasonCode.STARTED, ReasonCode.OTHER_CLUSTER);

    private final List<Instance> members;
    private final List<Instance> outsiders;
    private final InstanceNames names;

    /**
     * Prepares the description.
     *
     * @param members the members of the held view, in order
     * @param outsiders the live instances outside of it
     */
    ChangeAssembly(List<Instance> members, List<Instance> outsiders, InstanceNames names) {
        this.members = members;
        this.outsiders = outsiders;
        this.names = names;
    }

    /** Returns the change that is going on; empty while the view is current. */
    Optional<Change> change(Standing standing, Optional<Journal.Began> began, TopologyReport.Status status) {
        if (standing.state() == State.SETTLED || standing.state() == State.SUSPENDED) {
            return Optional.empty();
        }
        List<Concerned> gone = concerned(InstanceState.GONE, InstanceState.LEFT_OUT);
        List<Concerned> joining = concerned(InstanceState.JOINING);
        return Optional.of(new Change(
                cause(began.map(Journal.Began::why).orElse(List.of(Reason.of(ReasonCode.UNSETTLED))), gone, joining),
                began.map(Journal.Began::sinceMillis).orElse(standing.sinceMillis()),
                gone,
                joining,
                concerned(InstanceState.AWAITED),
                concerned(InstanceState.ACKNOWLEDGED),
                status.sentence(),
                status.countdown()));
    }

    private List<Concerned> concerned(InstanceState... states) {
        List<InstanceState> wanted = List.of(states);
        return Stream.concat(members.stream(), outsiders.stream())
                .filter(instance -> wanted.contains(instance.status().state()))
                .filter(instance -> !instance.local() || instance.status().state() != InstanceState.LEFT_OUT)
                .map(instance -> new Concerned(instance.id(), instance.label(), instance.status()))
                .toList();
    }

    private String cause(List<Reason> why, List<Concerned> gone, List<Concerned> joining) {
        Optional<InstanceStatus> leftOut = members.stream()
                .filter(Instance::local)
                .map(Instance::status)
                .filter(status -> status.state() == InstanceState.LEFT_OUT)
                .findFirst();
        if (leftOut.isPresent()) {
            return "this instance " + leftOut.get().reason();
        }
        List<String> clauses = new ArrayList<>();
        Stream.concat(
                        gone.stream()
                                .map(one -> one.label() + " " + one.status().reason()),
                        joining.stream().map(one -> words(Reason.of(ReasonCode.JOINS, one.id()))))
                .limit(NAMED_IN_CAUSE)
                .forEach(clauses::add);
        int more = gone.size() + joining.size() - NAMED_IN_CAUSE;
        if (more > 0) {
            clauses.add(words(Reason.of(ReasonCode.MORE_CHANGE, more)));
        }
        if (clauses.isEmpty() || OWN_CAUSES.contains(why.get(0).code())) {
            clauses.add(0, Reason.sentence(why, names::label));
        }
        return String.join("; ", clauses);
    }

    private String words(Reason reason) {
        return reason.sentence(names::label);
    }

    /** Returns what follows if this instance stops; empty unless it is settled, because then it does not know. */
    Optional<IfStopped> ifStopped(Standing standing, List<String> leaseUsers) {
        if (standing.state() != State.SETTLED || members.isEmpty()) {
            return Optional.empty();
        }
        boolean leads = members.get(0).local();
        Optional<Instance> next =
                members.stream().filter(instance -> !instance.local()).findFirst();
        List<String> users = leads ? leaseUsers : List.of();
        List<Reason> then = new ArrayList<>();
        then.add(next.map(one ->
                        Reason.of(one.position() == 1 ? ReasonCode.STAYS_LEADER : ReasonCode.LEADS_THEN, one.id()))
                .orElseGet(() -> Reason.of(ReasonCode.NONE_LEADS)));
        if (leads) {
            then.add(users.isEmpty() ? Reason.of(ReasonCode.LEASE_UNUSED) : Reason.of(ReasonCode.LEASE_USED, users));
        }
        return Optional.of(new IfStopped(leads, next.map(Instance::id), users, Reason.sentence(then, names::label)));
    }
}
