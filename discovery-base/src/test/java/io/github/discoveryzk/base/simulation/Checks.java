// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.simulation;

import io.github.discoveryzk.leader.LeaderLease;
import io.github.discoveryzk.leader.ViewNumber;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.ViewDifference;
import io.github.discoveryzk.spi.Outcome;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.testing.laws.Call;
import io.github.discoveryzk.testing.laws.Chain;
import io.github.discoveryzk.testing.laws.LawBroken;
import io.github.discoveryzk.testing.laws.Laws;
import io.github.discoveryzk.testing.laws.Listening;
import io.github.discoveryzk.testing.laws.View;
import io.github.discoveryzk.testing.memory.MemoryEnsemble;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyView;

/**
 * Feeds the laws with what happens in a simulation, and checks what only the simulation can know: the answers of all instances after
 * each step, the content of the store, and whether there was a reason for an event.
 */
final class Checks {

    private static final int HISTORY_LIMIT = 20;

    private final Simulation simulation;
    private final MemoryEnsemble ensemble;
    private final Laws laws = Laws.throwing();
    final LivenessLaw liveness;
    private final HealthyMemberLaw healthyMember;
    final HintLaw hints;
    private final Map<Long, EstablishedView> established = new HashMap<>();
    private final Map<String, String> owners = new HashMap<>();
    private final Map<SimulatedInstance, TopologyView> over = new HashMap<>();
    private Chain chain = Chain.EMPTY;
    private Optional<DataWorkload> data = Optional.empty();
    private long usedToken;
    private long invalidated;
    private Optional<Throwable> broken = Optional.empty();

    Checks(Simulation simulation) {
        this.simulation = simulation;
        this.ensemble = simulation.ensemble;
        this.liveness = new LivenessLaw(simulation);
        this.healthyMember = new HealthyMemberLaw(simulation, laws);
        this.hints = new HintLaw(simulation, laws);
        ensemble.onMembership(() -> isInvalidated(0));
    }

    /** Lets the instances share data from now on. */
    void share(Random random) {
        DataWorkload workload = new DataWorkload(simulation, random, laws);
        data = Optional.of(workload);
        workload.begin();
    }

    long now() {
        return simulation.time.now();
    }

    /** Returns the views that were published so far. */
    Chain chain() {
        return chain;
    }

    EstablishedView established(long number) {
        return established.get(number);
    }

    /** Records that an older view has replaced the newest one, or, with 0, that the view is lost. */
    void goBackTo(long number) {
        chain = chain.backAt(number);
    }

    static long number(TopologyView view) {
        return ViewNumber.of(view).orElse(0);
    }

    /** Checks a call of a listener, and returns the listener as it is during that call. */
    Listening checkCall(SimulatedInstance instance, SimulatedListener listener, TopologyEvent event) {
        Listening before = listener.state();
        Call call = Call.of(event, listener.view());
        simulation.leaveRecord(() -> instance + " receives " + call);
        runCheck(() -> laws.called(chain, before, call, isCaused(instance, call), listeners()));
        if (call.settles()) {
            data.ifPresent(workload -> workload.settled(instance, event.getNewView()));
        }
        return before.called(call.type(), call.shown().number());
    }

    private List<Listening> listeners() {
        return simulation.running().stream()
                .flatMap(instance -> instance.all.stream())
                .map(SimulatedListener::state)
                .toList();
    }

    /** L9: the end of the view, or a disturbance, also while the view was in transit to the store or to the listener. */
    private boolean isCaused(SimulatedInstance instance, Call call) {
        long number = call.shown().number();
        long since = chain.view(number).map(View::at).orElse(Long.MIN_VALUE) - simulation.swarm.onTheWayMillis();
        return call.type() != TopologyEvent.Type.TOPOLOGY_CHANGING
                || chain.newestNumber() != number
                || isInvalidated(number)
                || instance.disturbedUntil >= since
                || instance.blindUntil >= since
                || simulation.others.changedAt() >= instance.unawareSince(since)
                || instance.leaving;
    }

    /** Says whether that view is invalidated, or was while it was the newest. The members that led to it do not invalidate it. */
    private boolean isInvalidated(long number) {
        chain.newest().filter(this::differs).ifPresent(view -> invalidated = view.number());
        return invalidated == number;
    }

    /** A refused instance, whose id a member has, is no candidate; neither is one that was excluded. */
    private boolean differs(View view) {
        List<Member> live = ensemble.members();
        long left = live.stream().filter(member -> view.has(member.node())).count();
        return left < view.members().size()
                || live.stream()
                        .anyMatch(member -> view.has(member.node())
                                ? member.record().invalidatedUpTo().orElse(0) >= view.number()
                                : !view.ids().contains(member.instanceId())
                                        && !view.excluded().contains(member.node()));
    }

    /** Checks a publication. */
    void checkPublication(EstablishedView published) {
        simulation.leaveRecord(() -> "published " + published);
        runCheck(() -> {
            ensemble.members()
                    .forEach(member ->
                            owners.put(member.node(), member.record().process().runtimeId()));
            Set<String> live = ensemble.members().stream().map(Member::node).collect(Collectors.toSet());
            View view = View.of(
                    published,
                    member -> new View.Seat(
                            member.node(),
                            member.instanceId(),
                            owners.getOrDefault(member.node(), ""),
                            ensemble.seniority(member.node())),
                    ensemble.clusterId(),
                    now());
            Optional<View> before = chain.newest();
            checkDifference(published, before.map(old -> established.get(old.number())));
            established.put(view.number(), published);
            checkSize();
            healthyMember.check(view, before.orElse(view));
            chain = laws.published(chain, view, live, false);
            isInvalidated(view.number());
            currentLeader()
                    .filter(leader -> !leader.id.equals(view.leader().instance()))
                    .ifPresent(leader -> breakLaw(Laws.ONE_CURRENT_LEADER, leader + " is current beside " + view));
        });
    }

    /** L4: an instance that derives the view from the one before it holds the same view as one that reads it. */
    private void checkDifference(EstablishedView view, Optional<EstablishedView> before) {
        List<HistoryEntry> history = ensemble.history();
        ViewDifference difference = history.get(history.size() - 1).difference();
        List<Incarnation> members = before.map(EstablishedView::members).orElse(List.of());
        boolean same = before.isPresent()
                ? difference.applyTo(before.get()).equals(Optional.of(view))
                : difference.applyTo(members).equals(Optional.of(view.members()));
        laws.check(
                same && difference.undo(view.members()).equals(Optional.of(members)),
                Laws.AGREEMENT,
                () -> difference + " does not lead from " + before + " to " + view + " and back");
    }

    /** Checks a request that the servers have executed. */
    void checkArrival(Request request, Outcome outcome) {
        if (simulation.swarm.reading() && request instanceof Request.Acknowledge acknowledge) {
            // A member that has read the view after the members takes it for invalidated.
            invalidated = Math.max(invalidated, acknowledge.number());
        }
        runCheck(() -> hints.check(request, outcome));
    }

    /** L12: the store holds the nodes of live instances and a bounded history. */
    private void checkSize() {
        int bound = 3 * ensemble.members().size() + HISTORY_LIMIT;
        laws.check(
                ensemble.size() <= bound,
                Laws.BOUNDED_STORE,
                () -> ensemble.size() + " nodes, at most " + bound + " are needed");
    }

    /** Checks what follows the loss of a connection: with the strict policy, unless it changes, the shortest one invalidates a view. */
    void checkLoss(SimulatedInstance instance) {
        SettlingPolicy policy = instance.policy;
        TopologyView view = instance.instance.getTopology();
        if (instance.isStrict() && view.isCurrent()) {
            instance.process.after(
                    simulation.swarm.decidedMillis(),
                    () -> runCheck(() -> laws.check(
                            !view.isCurrent() || instance.policy != policy,
                            "Strict",
                            () -> instance + " acts on " + view + " after a lost connection")));
        }
    }

    /** Checks a decision of an instance. The law is also thrown, to end the decisions. */
    void checkDecision(SimulatedInstance instance) {
        runCheck(() -> liveness.checkDecision(instance));
        if (isBroken()) {
            throw new IllegalStateException("this history is over");
        }
    }

    /** Checks the state after a step. */
    void checkStep() {
        runCheck(() -> {
            currentLeader();
            for (SimulatedInstance instance : simulation.running()) {
                TopologyView view = instance.instance.getTopology();
                checkStaysOver(instance, view);
                LeaderLease.of(view)
                        .filter(LeaderLease::isHeld)
                        .ifPresent(lease -> usedToken = laws.acted(instance.toString(), lease.token(), usedToken));
            }
            liveness.check();
        });
    }

    /** L6: a view that is not current never becomes current again. */
    private void checkStaysOver(SimulatedInstance instance, TopologyView view) {
        if (!view.isCurrent()) {
            over.put(instance, view);
        } else if (over.get(instance) == view) {
            breakLaw(Laws.ONE_CURRENT_LEADER, instance + " holds " + view + ", which is current again");
        }
    }

    private Optional<SimulatedInstance> currentLeader() {
        SimulatedInstance leader = null;
        for (SimulatedInstance instance : simulation.running()) {
            TopologyView view = instance.instance.getTopology();
            if (view.getLocalInstance().isLeader() && view.isCurrent()) {
                if (leader != null) {
                    breakLaw(Laws.ONE_CURRENT_LEADER, leader + " and " + instance);
                }
                leader = instance;
            }
        }
        return Optional.ofNullable(leader);
    }

    private static void breakLaw(String law, String evidence) {
        throw new LawBroken(law, evidence);
    }

    boolean isBroken() {
        return broken.isPresent();
    }

    /** Runs a check, and keeps its failure. */
    void runCheck(Runnable action) {
        try {
            action.run();
        } catch (Throwable e) { // Otherwise the call of a listener would catch it.
            broken = Optional.of(broken.orElse(e));
        }
    }

    /** Throws the first failure, if any. */
    void rethrow() {
        broken.ifPresent(found -> {
            if (found instanceof LawBroken law) {
                throw law;
            }
            throw new IllegalStateException(found);
        });
    }
}
