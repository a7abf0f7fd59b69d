// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.model.EstablishedView;

/**
 * The laws of discovery, checked at each event of a listener, at each publication, and after each step of a history. A law that
 * breaks within a call of a listener must not count as a failure of the listener, so the first one that breaks is kept until
 * {@link #rethrow}.
 */
final class Laws {

    private final Simulation simulation;
    private final Publications published = new Publications();
    private final GrammarLaw grammar = new GrammarLaw();
    private final OrderLaw order;
    private final LeaderLaw leader;
    private final AgreementLaw agreement = new AgreementLaw(published);
    private final SettledLaw settled;
    private final OneCurrentLeaderLaw oneCurrentLeader = new OneCurrentLeaderLaw();
    private final TokenLaw token = new TokenLaw(published);
    private final NoFabricatedViewLaw noFabricatedView = new NoFabricatedViewLaw(published);
    private final NoNeedlessEventLaw noNeedlessEvent;
    private final LivenessLaw liveness;
    private final IdentityLaw identity = new IdentityLaw();
    private final BoundedStoreLaw boundedStore;
    private final StructureLaw structure = new StructureLaw();
    private final StrictLaw strict = new StrictLaw();
    private final HealthyMemberLaw healthyMember;
    private Optional<Throwable> broken = Optional.empty();

    Laws(Simulation simulation) {
        this.simulation = simulation;
        order = new OrderLaw(simulation.ensemble());
        leader = new LeaderLaw(simulation.ensemble(), published);
        settled = new SettledLaw(simulation, published);
        noNeedlessEvent = new NoNeedlessEventLaw(simulation, published);
        liveness = new LivenessLaw(simulation, published);
        boundedStore = new BoundedStoreLaw(simulation.ensemble());
        healthyMember = new HealthyMemberLaw(simulation);
    }

    long now() {
        return simulation.time().now();
    }

    Publications published() {
        return published;
    }

    LivenessLaw liveness() {
        return liveness;
    }

    /** Checks a call of a listener. */
    void checkCall(SimulatedInstance instance, SimulatedListener listener, TopologyEvent event) {
        runCheck(() -> {
            simulation.note(() -> instance + " receives " + event.getType() + " "
                    + (event.getNewView() == null ? event.getOldView() : event.getNewView()));
            grammar.checkCall(instance, listener, event);
            noNeedlessEvent.checkCall(instance, listener, event);
            structure.checkCall(instance, event);
            if (event.getNewView() != null) {
                noFabricatedView.checkView(instance, event.getNewView());
                agreement.checkView(instance, event.getNewView());
            }
            if (event.getType() == TopologyEvent.Type.TOPOLOGY_INIT
                    || event.getType() == TopologyEvent.Type.TOPOLOGY_CHANGED) {
                settled.checkView(instance, event.getNewView());
            }
        });
    }

    /** Checks a publication. */
    void checkPublication(EstablishedView view) {
        simulation.note(() -> "published " + view);
        runCheck(() -> {
            Optional<EstablishedView> before = published.newest();
            order.checkPublication(view, before);
            agreement.checkPublication(view, before);
            agreement.checkDifference(view, before, simulation.ensemble().history());
            identity.checkPublication(view);
            leader.checkPublication(view, before);
            token.checkPublication(view, before);
            boundedStore.check();
            healthyMember.checkPublication(view, before);
            published.add(view, simulation.ensemble().clusterId(), now());
            oneCurrentLeader.checkPublication(view, simulation.running());
        });
    }

    /** Checks what follows the loss of a connection. */
    void checkLoss(SimulatedInstance instance) {
        TopologyView view = instance.instance().getTopology();
        if (instance.isStrict() && view.isCurrent()) {
            instance.afterDecisions(() -> runCheck(() -> strict.checkAfterLoss(instance, view)));
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
            List<SimulatedInstance> running = simulation.running();
            oneCurrentLeader.check(running);
            running.forEach(token::checkToken);
            liveness.check();
        });
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
