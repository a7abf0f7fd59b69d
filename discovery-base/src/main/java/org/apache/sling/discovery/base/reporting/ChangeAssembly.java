// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.reporting;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.journal.Standing;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.ReasonCode;
import org.apache.sling.discovery.commons.report.Change;
import org.apache.sling.discovery.commons.report.Change.IfStopped;
import org.apache.sling.discovery.commons.report.InstanceState;
import org.apache.sling.discovery.commons.report.TopologyReport.Instance;
import org.apache.sling.discovery.commons.report.TopologyReport.State;

/** Describes the change that is going on, and what would follow if this instance stopped, from the states of the instances. */
final class ChangeAssembly {

    private static final int NAMED_IN_CAUSE = 12;

    /** The causes that lie in this instance; what happens to others meanwhile does not replace them. */
    private static final Set<ReasonCode> OWN_CAUSES = EnumSet.range(ReasonCode.STARTED, ReasonCode.OTHER_CLUSTER);

    private final Standing standing;
    private final List<Instance> members;
    private final List<Instance> outsiders;

    /**
     * Prepares the description.
     *
     * @param members the members of the held view, in order
     * @param outsiders the live instances outside of it
     */
    ChangeAssembly(Standing standing, List<Instance> members, List<Instance> outsiders) {
        this.standing = standing;
        this.members = members;
        this.outsiders = outsiders;
    }

    /** Returns the change that is going on; empty while the view is current. */
    Optional<Change> change() {
        return standing.state().isHolding()
                ? Optional.empty()
                : Optional.of(new Change(
                        cause(),
                        standing.change()
                                .map(Change::sinceMillis)
                                .orElse(standing.status().sinceMillis())));
    }

    private List<Reason> cause() {
        if (members.stream().anyMatch(one -> one.local() && is(one, InstanceState.LEFT_OUT))) {
            return List.of(Reason.of(ReasonCode.OWN_LATE));
        }
        List<Reason> others = Stream.concat(members.stream(), outsiders.stream())
                .flatMap(ChangeAssembly::comingOrGoing)
                .toList();
        List<Reason> cause = new ArrayList<>(others.subList(0, Math.min(NAMED_IN_CAUSE, others.size())));
        if (others.size() > NAMED_IN_CAUSE) {
            cause.add(Reason.of(ReasonCode.MORE_CHANGE, others.size() - NAMED_IN_CAUSE));
        }
        List<Reason> began = standing.change().map(Change::cause).orElse(List.of(Reason.of(ReasonCode.UNSETTLED)));
        if (cause.isEmpty() || OWN_CAUSES.contains(began.get(0).code())) {
            cause.addAll(0, began);
        }
        return cause;
    }

    private static Stream<Reason> comingOrGoing(Instance one) {
        return switch (one.status().state()) {
            case GONE, LEFT_OUT -> one.status().why().stream();
            case JOINING -> Stream.of(Reason.of(ReasonCode.JOINS, one.id()));
            default -> Stream.of();
        };
    }

    private static boolean is(Instance one, InstanceState state) {
        return one.status().state() == state;
    }

    /** Returns what follows if this instance stops; empty unless it is settled, because then it does not know. */
    Optional<IfStopped> ifStopped(List<String> leaseUsers) {
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
        return Optional.of(new IfStopped(leads, next.map(Instance::id), users, then));
    }
}
