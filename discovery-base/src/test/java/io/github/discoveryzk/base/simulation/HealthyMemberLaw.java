// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.simulation;

import io.github.discoveryzk.testing.laws.Laws;
import io.github.discoveryzk.testing.laws.View;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * L5, L14: a member that reaches the store and whose listeners return stays a member and keeps its place, whatever happens to others, and
 * although it cannot read a newcomer that the others can read.
 */
final class HealthyMemberLaw {

    private final Simulation simulation;
    private final Laws laws;

    /** Nodes that a view has passed over for a junior one, mostly because their ids were in use: they are outdated, and are given up. */
    private final Set<String> passedOver = new HashSet<>();

    HealthyMemberLaw(Simulation simulation, Laws laws) {
        this.simulation = simulation;
        this.laws = laws;
    }

    void check(View view, View before) {
        before.members().stream()
                .filter(seat -> !view.has(seat.node()) && !passedOver.contains(seat.node()))
                .forEach(seat -> laws.check(
                        instanceOf(seat)
                                .filter(this::isHealthy)
                                .filter(one -> !isRecent(one.blindUntil) || isFollowerOfHealthy(one, before))
                                .isEmpty(),
                        Laws.BLIND_IS_NOT_DEAD,
                        () -> seat + " is healthy and lost its place in " + view));
        long last = view.members().get(view.members().size() - 1).seniority();
        simulation.ensemble.members().stream()
                .filter(member -> !view.has(member.node()) && member.seniority() < last)
                .forEach(member -> passedOver.add(member.node()));
    }

    /** A member that cannot read a newcomer sees that the others have acknowledged. */
    private boolean isFollowerOfHealthy(SimulatedInstance one, View before) {
        return instanceOf(before.leader()).filter(one::equals).isEmpty()
                && before.members().stream()
                        .allMatch(
                                seat -> instanceOf(seat).filter(this::isHealthy).isPresent());
    }

    private Optional<SimulatedInstance> instanceOf(View.Seat seat) {
        return simulation.running().stream()
                .filter(one -> one.runtimeId.equals(seat.process()))
                .findFirst();
    }

    private boolean isHealthy(SimulatedInstance one) {
        return !one.leaving && !one.evicted && !isRecent(one.ailsUntil());
    }

    /** What ended that long ago has had its consequences. */
    private boolean isRecent(long until) {
        long bound = 2L * (simulation.swarm.longestSessionTimeout() + Swarm.MAX_SETTLE_TIMEOUT);
        return until > simulation.time.now() - bound;
    }
}
