// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.simulation;

import io.github.discoveryzk.report.State;
import io.github.discoveryzk.report.TopologyReport;
import io.github.discoveryzk.testing.laws.Chain;
import io.github.discoveryzk.testing.laws.LawBroken;
import io.github.discoveryzk.testing.laws.Laws;
import io.github.discoveryzk.testing.laws.View;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.sling.discovery.TopologyView;

/**
 * L10: once disturbances have ended, every instance is settled on one view with all of them in it, or a member of it that waits for more
 * members before its first view, or refused because its instance id is in use, within a bound, and stays so; and no suspicion is left behind (L12). Measured from the moment of calm on, after each step.
 */
final class LivenessLaw {

    /** Each candidate before the last may have to step in first: for the collecting, and for the publication. */
    static final long STEP_IN_MILLIS = 2 * Swarm.STEP_IN_MILLIS * (Simulation.MAX_INSTANCES - 1);

    /** Messages in transit and lagging servers, about ten times in a row. */
    static final long ON_THE_WAY_MILLIS = 2_000;

    /** The quarantine of an instance that has lost its seniority too often. */
    static final long QUARANTINE_MILLIS = Swarm.QUARANTINE.longestRestMillis();

    /** The longest back-off after rejected writes. */
    static final long REJECTED_REST_MILLIS = 10_000;

    /** How long the settled state is observed. */
    static final long STAYS_MILLIS = 1_000;

    private static final int MAX_DECISIONS_OF_A_MOMENT = 10_000;
    private static final AtomicLong LONGEST = new AtomicLong();

    private final Simulation simulation;
    private long decidedAt;
    private int decisions;
    private long calmSince = Long.MAX_VALUE;
    private long settledSince = Long.MAX_VALUE;
    private long bound;

    LivenessLaw(Simulation simulation) {
        this.simulation = simulation;
    }

    private Chain chain() {
        return simulation.checks.chain();
    }

    /** Returns the longest time in milliseconds that a history of this process has taken to settle. */
    static long longestMillis() {
        return LONGEST.get();
    }

    /** Starts the calm. */
    void calm(boolean writesWereRejected, long refusedMillis) {
        calmSince = simulation.time.now();
        Swarm swarm = simulation.swarm;
        int session = swarm.longestSessionTimeout();
        long timeouts = session + Math.max(session, Swarm.MAX_SETTLE_TIMEOUT);
        bound = (long) (timeouts / SimulatedInstance.SLOWEST)
                + STEP_IN_MILLIS
                + Swarm.REGROUP_MILLIS
                + ON_THE_WAY_MILLIS
                + 20L * swarm.longestLag()
                + QUARANTINE_MILLIS
                + refusedMillis
                + (writesWereRejected ? REJECTED_REST_MILLIS : 0);
    }

    /** Says whether the cluster has been settled for long enough. */
    boolean isProven() {
        return settledSince != Long.MAX_VALUE && simulation.time.now() - settledSince >= STAYS_MILLIS;
    }

    /** Limits decisions: an instance that always decides again would never let virtual time advance. */
    void checkDecision(SimulatedInstance instance) {
        long now = simulation.time.now();
        decisions = decidedAt == now ? decisions + 1 : 0;
        decidedAt = now;
        if (decisions > MAX_DECISIONS_OF_A_MOMENT) {
            throw new LawBroken(Laws.LIVENESS, instance + " decides without end");
        }
    }

    void check() {
        long now = simulation.time.now();
        if (now < calmSince) {
            return;
        }
        if (!isSettled()) {
            settledSince = Long.MAX_VALUE;
            if (now - calmSince > bound) {
                throw new LawBroken(Laws.LIVENESS, "not settled after " + bound + " ms: " + standing());
            }
        } else if (settledSince == Long.MAX_VALUE) {
            settledSince = now;
            LONGEST.accumulateAndGet(now - calmSince, Math::max);
        }
    }

    private boolean isSettled() {
        List<SimulatedInstance> running = simulation.running();
        Set<String> settled = new HashSet<>();
        int members = chain().newest().map(view -> view.members().size()).orElse(0);
        for (SimulatedInstance instance : running) {
            TopologyView view = instance.instance.getTopology();
            boolean acts = view.isCurrent() && Checks.number(view) == chain().newestNumber();
            if (acts || Checks.number(view) == 0 && members < instance.policy.minInstances()) {
                settled.add(instance.id);
            }
        }
        return running.isEmpty()
                || isWhole(settled, running) && simulation.ensemble.suspicions().isEmpty();
    }

    /** Says whether exactly the running instances are in the view; of several with one id all but one are refused. */
    private boolean isWhole(Set<String> settled, List<SimulatedInstance> running) {
        Set<String> ids = running.stream().map(one -> one.id).collect(Collectors.toSet());
        Set<String> members = Set.copyOf(chain().newest().map(View::ids).orElse(List.of()));
        if (!settled.equals(ids) || !members.equals(ids)) {
            return false;
        }
        long refused = running.size() == ids.size()
                ? 0
                : running.stream()
                        // A report costs more than all else here, and what acts is not refused.
                        .filter(instance -> !instance.instance.getTopology().isCurrent()
                                && instance.instance.reporter().report().state() == State.REFUSED)
                        .count();
        return running.size() - refused == ids.size();
    }

    private String standing() {
        return simulation.running().stream()
                .map(instance -> {
                    TopologyReport report = instance.instance.reporter().report();
                    return instance + " is " + report.state() + " (" + report.sentence() + ") with "
                            + instance.instance.getTopology();
                })
                .collect(Collectors.joining(
                        "; ", chain().newest() + ", " + simulation.ensemble.suspicions() + ": ", ""));
    }
}
