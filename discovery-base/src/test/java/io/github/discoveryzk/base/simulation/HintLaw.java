// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.simulation;

import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.Suspicion;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.laws.Laws;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * L17: whatever the hints, an instance that lives and reaches the store refutes a suspicion before the verdict. That a hint costs no event
 * otherwise follows from L9: a hint does not justify one. L10: a true hint leads to the verdict soon, if a member has it that reaches the
 * store.
 */
final class HintLaw {

    /** The shortest verdict time of the protocol, on the fastest clock. */
    private static final long VERDICT_MILLIS = (long) (300 / (SimulatedInstance.SLOWEST * 9 / 8)) - 1;

    /** The longest time from a hint to the verdict: a few hints at the same time delay each other. */
    private static final long NOTICED_MILLIS = 2_000;

    private record Accusation(Optional<SimulatedInstance> accused, long at) {}

    private final Simulation simulation;
    private final Laws laws;
    private final Map<Suspicion, Accusation> standing = new HashMap<>();
    private final Set<String> refuted = new HashSet<>();

    HintLaw(Simulation simulation, Laws laws) {
        this.simulation = simulation;
        this.laws = laws;
    }

    /** Expects a verdict, if a member is given the hint that another one has ended whose process is dead. */
    void given(SimulatedInstance by, String node) {
        long now = simulation.time.now();
        Optional<String> judge = judge(by, node);
        if (owner(node).filter(SimulatedInstance::isRunning).isEmpty() && judge.isPresent()) {
            Runnable check = () -> laws.check(
                    !by.judgesSince(now) || refuted.contains(node) || !judge.equals(judge(by, node)),
                    Laws.LIVENESS,
                    () -> by + " knows that the process of " + node + " has ended");
            simulation.time.after(NOTICED_MILLIS, () -> simulation.checks.runCheck(check));
        }
    }

    /** Records that a foreign client deletes all suspicions: each accuser takes that for a refutation. */
    void deleted() {
        standing.keySet().forEach(each -> refuted.add(each.node()));
    }

    /** Returns the live node of an instance, if the newest view has it and the suspect: an instance without a node has no suspicions. */
    private Optional<String> judge(SimulatedInstance by, String suspect) {
        Set<String> live =
                simulation.ensemble.members().stream().map(Member::node).collect(Collectors.toSet());
        return simulation.checks.chain().newest().stream()
                .filter(view -> live.contains(suspect) && view.has(suspect))
                .flatMap(view -> view.members().stream())
                .filter(seat -> seat.process().equals(by.runtimeId) && live.contains(seat.node()))
                .map(seat -> seat.node())
                .findFirst();
    }

    /** Checks a request that the servers have executed. */
    void check(Request request, Outcome outcome) {
        if (outcome.status() != Outcome.Status.DONE) {
            return;
        }
        long now = simulation.time.now();
        if (request instanceof Request.Suspect suspect) {
            simulation.leaveRecord(() -> suspect.suspicion() + " is created");
            standing.put(
                    suspect.suspicion(),
                    new Accusation(
                            owner(suspect.suspicion().node())
                                    .filter(one -> isOfPresentSession(
                                            one, suspect.suspicion().node())),
                            now));
        } else if (request instanceof Request.Refute refute) {
            simulation.leaveRecord(() -> refute.suspicion() + " is removed");
            standing.remove(refute.suspicion());
            refuted.add(refute.suspicion().node());
        } else if (request instanceof Request.Withdraw withdraw) {
            simulation.leaveRecord(() -> withdraw.suspicion() + " is withdrawn");
            standing.remove(withdraw.suspicion());
        } else if (request instanceof Request.Convict convict) {
            simulation.leaveRecord(() -> convict.leaveRecord() + " is executed");
            Optional<Accusation> accusation = Optional.ofNullable(standing.remove(convict.suspicion()));
            laws.check(
                    accusation.isPresent(),
                    Laws.HINT_IS_NO_PROOF,
                    () -> convict.leaveRecord() + " although no suspicion stands");
            accusation
                    .flatMap(Accusation::accused)
                    .filter(SimulatedInstance::isRunning)
                    .ifPresent(accused -> {
                        laws.check(
                                !accused.reachesStoreSince(accusation.get().at())
                                        || accused.reactionMillis >= VERDICT_MILLIS,
                                Laws.HINT_IS_NO_PROOF,
                                () -> accused + " lives and reaches the store, but was removed by "
                                        + convict.leaveRecord().by());
                        accused.disturbUntil(now + simulation.swarm.onTheWayMillis());
                    });
        }
    }

    /** An instance does not reach the session that it has abandoned, and refutes no suspicion of its node. */
    private boolean isOfPresentSession(SimulatedInstance one, String node) {
        return simulation.ensemble.members().stream()
                .anyMatch(member -> member.node().equals(node) && member.session() == one.store.session());
    }

    private Optional<SimulatedInstance> owner(String node) {
        return simulation.ensemble.members().stream()
                .filter(member -> member.node().equals(node))
                .flatMap(member -> simulation.running().stream().filter(one -> member.isOf(one.runtimeId)))
                .findFirst();
    }
}
