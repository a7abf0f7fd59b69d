// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.Member;

/**
 * L5, L14: a member that reaches the store and whose listeners return stays a member and keeps its place, whatever happens to others, and
 * although it cannot read a newcomer that the others can read.
 */
final class HealthyMemberLaw {

    private final Simulation simulation;
    private final Map<String, String> owners = new HashMap<>();

    HealthyMemberLaw(Simulation simulation) {
        this.simulation = simulation;
    }

    void checkPublication(EstablishedView view, Optional<EstablishedView> before) {
        for (Member member : simulation.ensemble().members()) {
            owners.put(member.node(), member.record().process().runtimeId());
        }
        before.ifPresent(old -> old.members().stream()
                .filter(member -> !view.contains(member.node()))
                .forEach(member -> checkGone(member, view, old)));
    }

    private void checkGone(Incarnation member, EstablishedView view, EstablishedView before) {
        instanceOf(member)
                .filter(this::isHealthy)
                .filter(one -> !isRecent(one.blindUntil()) || isFollowerOfHealthy(one, before))
                .ifPresent(one -> {
                    throw new LawBroken("L14 Blind is not dead", one + " is healthy and lost its place in " + view);
                });
    }

    /** A member that cannot read a newcomer sees that the others have acknowledged. */
    private boolean isFollowerOfHealthy(SimulatedInstance one, EstablishedView before) {
        boolean leads = instanceOf(before.leader()).filter(one::equals).isPresent();
        return !leads
                && before.members().stream()
                        .allMatch(member ->
                                instanceOf(member).filter(this::isHealthy).isPresent());
    }

    private Optional<SimulatedInstance> instanceOf(Incarnation member) {
        return simulation.running().stream()
                .filter(one -> one.runtimeId().equals(owners.get(member.node())))
                .findFirst();
    }

    private boolean isHealthy(SimulatedInstance one) {
        return !one.isLeaving() && !one.isEvicted() && !isRecent(one.ailsUntil());
    }

    /** What ended that long ago has had its consequences. */
    private boolean isRecent(long until) {
        long bound = 2L * (simulation.swarm().longestSessionTimeout() + Swarm.LONGEST_SETTLE_TIMEOUT);
        return until > simulation.time().now() - bound;
    }
}
