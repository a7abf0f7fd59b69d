// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.sling.discovery.InstanceDescription;
import org.apache.sling.discovery.TopologyEvent;
import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.extension.LeaderLease;
import org.apache.sling.discovery.commons.extension.ViewNumber;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.report.TopologyReport.State;

/** The laws of discovery, checked at each event that a listener hears, at each publication, and when all has calmed down. */
final class Laws {

    private static final long ON_THE_WAY_MILLIS = 500;

    private static final int MOST_DECISIONS_AT_ONCE = 10_000;

    private final Simulation simulation;
    private final Map<Long, EstablishedView> chain = new HashMap<>();
    private final Map<Long, Long> publishedAt = new HashMap<>();
    private Optional<LawBroken> broken = Optional.empty();
    private long decidedAt;
    private int decisions;
    private long newest;
    private long highestNumber;
    private long highestToken;
    private long usedToken;

    Laws(Simulation simulation) {
        this.simulation = simulation;
    }

    long now() {
        return simulation.time().now();
    }

    /**
     * An event reaches a listener. What is thrown here would be taken for a failure of the listener and survive, so a broken law
     * is kept until {@link #hold}.
     */
    void heard(SimulatedInstance instance, SimulatedListener listener, TopologyEvent event) {
        try {
            check(instance, listener, event);
        } catch (LawBroken e) {
            broken = Optional.of(broken.orElse(e));
        }
    }

    /** An instance makes a decision. The law is thrown, too, to end the decisions. */
    void decides(SimulatedInstance instance) {
        decisions = decidedAt == now() ? decisions + 1 : 0;
        decidedAt = now();
        if (decisions > MOST_DECISIONS_AT_ONCE) {
            LawBroken endless = new LawBroken("L10 Liveness", instance + " decides without end");
            broken = Optional.of(broken.orElse(endless));
            throw endless;
        }
    }

    /** Throws what was found since the last time. */
    void hold() {
        if (broken.isPresent()) {
            throw broken.get();
        }
    }

    private void check(SimulatedInstance instance, SimulatedListener listener, TopologyEvent event) {
        simulation.note(() -> instance + " hears " + event.getType() + " "
                + (event.getNewView() == null ? event.getOldView() : event.getNewView()));
        grammar(instance, listener, event);
        if (event.getType() == TopologyEvent.Type.TOPOLOGY_CHANGING) {
            noNeedlessChanging(instance, listener);
        } else {
            agreement(instance, event.getNewView());
        }
        if (event.getType() == TopologyEvent.Type.PROPERTIES_CHANGED) {
            noNeedlessProperties(instance, listener, event);
        } else if (event.getNewView() != null) {
            settled(instance, number(event.getNewView()));
        }
    }

    private void grammar(SimulatedInstance instance, SimulatedListener listener, TopologyEvent event) {
        TopologyEvent last = listener.last();
        boolean legal =
                switch (event.getType()) {
                    case TOPOLOGY_INIT -> last == null;
                    case TOPOLOGY_CHANGED -> last != null && last.getType() == TopologyEvent.Type.TOPOLOGY_CHANGING;
                    case TOPOLOGY_CHANGING, PROPERTIES_CHANGED -> last != null
                            && last.getType() != TopologyEvent.Type.TOPOLOGY_CHANGING;
                };
        if (!legal) {
            throw new LawBroken("L1 Grammar", instance + " hears " + event.getType() + " after " + last);
        }
        if (event.getOldView() != listener.view()) {
            throw new LawBroken("L1 Grammar", instance + " hears an old view that was not its last one");
        }
        if (listener.isRemoved()) {
            throw new LawBroken("L1 Grammar", instance + " calls a listener that was removed");
        }
    }

    /** L4 and L8: what is told is a published view with just its members, order and leader. */
    private void agreement(SimulatedInstance instance, TopologyView view) {
        EstablishedView published = chain.get(number(view));
        if (published == null) {
            throw new LawBroken("L8 No fabricated view", instance + " shows " + view + ", which was never published");
        }
        List<InstanceDescription> told =
                view.getLocalInstance().getClusterView().getInstances();
        List<String> ids = told.stream().map(InstanceDescription::getSlingId).toList();
        if (!ids.equals(published.members().stream()
                        .map(Incarnation::instanceId)
                        .toList())
                || !view.getLocalInstance().getClusterView().getLeader().equals(told.get(0))) {
            throw new LawBroken("L4 Agreement", instance + " shows " + view + " for " + published);
        }
        if (!view.getLocalInstance().getSlingId().equals(instance.id())) {
            throw new LawBroken("L4 Agreement", instance + " is local as " + view.getLocalInstance());
        }
    }

    /** L5: whoever is in the view before and in this one has left the one before. */
    private void settled(SimulatedInstance hearing, long number) {
        EstablishedView view = chain.get(number);
        EstablishedView before = chain.get(view.previous());
        if (before == null) {
            return;
        }
        for (Incarnation member : before.members()) {
            if (view.contains(member.node()) && isLive(member.node())) {
                instanceOf(member.node()).ifPresent(other -> other.listeners().forEach(listener -> {
                    long acting = listener.actsOn().orElse(Long.MAX_VALUE);
                    if (acting < number) {
                        throw new LawBroken(
                                "L5 Settled",
                                hearing + " hears of view " + number + " while a listener of " + other
                                        + " acts on view " + acting);
                    }
                }));
            }
        }
    }

    private void noNeedlessChanging(SimulatedInstance instance, SimulatedListener listener) {
        // What changed while the view was on its way to the store or to the listener is a reason, too.
        long since = publishedAt.get(number(listener.view())) - ON_THE_WAY_MILLIS;
        boolean reason = newest != number(listener.view())
                || simulation.ensemble().membershipChangedAt() >= since
                || instance.disturbedUntil() >= since
                || instance.isLeaving();
        if (!reason) {
            throw new LawBroken("L9 No needless event", instance + " hears CHANGING although nothing changed");
        }
    }

    /** A slow listener may hear that a property is what it was, because it was something else in between. */
    private void noNeedlessProperties(SimulatedInstance instance, SimulatedListener listener, TopologyEvent event) {
        boolean same = event.getOldView().getInstances().stream()
                .allMatch(old -> event.getNewView().getInstances().stream()
                        .anyMatch(now -> now.getSlingId().equals(old.getSlingId())
                                && now.getProperties().equals(old.getProperties())));
        if (same && simulation.propertyOfferedAt() < listener.heardAt() - ON_THE_WAY_MILLIS) {
            throw new LawBroken("L9 No needless event", instance + " hears PROPERTIES_CHANGED with equal properties");
        }
    }

    /** A view is published. */
    void published(EstablishedView view) {
        simulation.note(() -> "published " + view);
        Map<String, Member> live = new HashMap<>();
        simulation.ensemble().members().forEach(member -> live.put(member.node(), member));
        EstablishedView before = chain.get(newest);
        order(view, before, live);
        chainOf(view, before);
        identity(view);
        if (before != null) {
            leader(view, before, live);
        }
        chain.put(view.number(), view);
        publishedAt.put(view.number(), simulation.time().now());
        newest = view.number();
        highestNumber = Math.max(highestNumber, view.number());
        highestToken = Math.max(highestToken, view.token());
        simulation.boundedStore();
    }

    private void order(EstablishedView view, EstablishedView before, Map<String, Member> live) {
        long last = Long.MIN_VALUE;
        boolean newcomers = false;
        for (Incarnation member : view.members()) {
            // A member may have gone between the coordinator's last look and the publication.
            long seniority = simulation.ensemble().seniority(member.node());
            if (seniority <= last) {
                throw new LawBroken("L2 Order", view + " is not by seniority; live are " + live.values());
            }
            last = seniority;
            boolean survivor = before != null && before.contains(member.node());
            if (survivor && newcomers) {
                throw new LawBroken("L2 Order", "a newcomer comes before " + member + " in " + view);
            }
            newcomers |= !survivor;
        }
    }

    private void chainOf(EstablishedView view, EstablishedView before) {
        long previous = before == null ? 0 : before.number();
        if (view.previous() != previous || view.number() <= highestNumber) {
            throw new LawBroken("L4 Agreement", view + " does not follow view " + previous);
        }
    }

    private void identity(EstablishedView view) {
        Set<String> ids = new HashSet<>();
        view.members().forEach(member -> {
            if (!ids.add(member.instanceId())) {
                throw new LawBroken("L11 Identity", member.instanceId() + " is twice in " + view);
            }
        });
    }

    private void leader(EstablishedView view, EstablishedView before, Map<String, Member> live) {
        boolean same = view.leader().equals(before.leader());
        boolean leaderLives = live.containsKey(before.leader().node());
        boolean leftOut = view.leftOut().contains(before.leader().node());
        if (!same && leaderLives && !leftOut) {
            throw new LawBroken("L3 Leader", before.leader() + " lost the lead in " + view + " without having left");
        }
        boolean goesOn = same && before.number() == highestNumber;
        if (goesOn ? view.token() != before.token() : view.token() <= highestToken) {
            throw new LawBroken("L7 Token", view.token() + " after " + highestToken + ", leader same: " + same);
        }
    }

    /** Somebody has put an older view into the place of the newest. */
    void restored(EstablishedView older) {
        newest = older.number();
    }

    /** L7 as an application sees it: a leader that may act has a greater token than each leader that acted before. */
    private void token(SimulatedInstance instance) {
        LeaderLease.of(instance.instance().getTopology())
                .filter(lease -> lease.isHeld() && instance.isRunning())
                .ifPresent(lease -> {
                    if (lease.token() < usedToken) {
                        throw new LawBroken(
                                "L7 Token", instance + " acts with " + lease.token() + " after " + usedToken);
                    }
                    usedToken = lease.token();
                });
    }

    /** L6, checked at every instant of the history. */
    void oneCurrentLeader(List<SimulatedInstance> instances) {
        SimulatedInstance leader = null;
        for (SimulatedInstance instance : instances) {
            TopologyView view = instance.instance().getTopology();
            if (view.getLocalInstance().isLeader() && view.isCurrent() && instance.isRunning()) {
                if (leader != null) {
                    throw new LawBroken("L6 One current leader", leader + " and " + instance);
                }
                leader = instance;
            }
            token(instance);
        }
    }

    /** L10 and L11 once nothing disturbs any more: who can be in the view is in it and stable, the others say why not. */
    void calm(List<SimulatedInstance> running) {
        Set<String> expected = new HashSet<>();
        running.stream().filter(instance -> !instance.isSlow()).forEach(instance -> expected.add(instance.id()));
        for (SimulatedInstance instance : running) {
            State state = instance.instance().report().state();
            String sentence = instance.instance().report().sentence();
            boolean duplicate = running.stream()
                    .anyMatch(other -> other != instance && other.id().equals(instance.id()));
            if (state == State.REFUSED && duplicate || instance.isSlow()) {
                continue;
            }
            if (state != State.SETTLED) {
                throw new LawBroken("L10 Liveness", instance + " is " + state + ": " + sentence);
            }
            members(instance, expected, running);
        }
    }

    private void members(SimulatedInstance instance, Set<String> expected, List<SimulatedInstance> running) {
        Set<String> ids = new HashSet<>();
        EstablishedView view = chain.get(newest);
        view.members().forEach(member -> ids.add(member.instanceId()));
        if (number(instance.instance().getTopology()) != newest || !ids.containsAll(expected)) {
            throw new LawBroken(
                    "L10 Liveness",
                    instance + " holds " + instance.instance().getTopology() + ", newest is " + view + ", running are "
                            + running);
        }
    }

    private boolean isLive(String node) {
        return simulation.ensemble().members().stream()
                .anyMatch(member -> member.node().equals(node));
    }

    private Optional<SimulatedInstance> instanceOf(String node) {
        return simulation.ensemble().members().stream()
                .filter(member -> member.node().equals(node))
                .findFirst()
                .flatMap(member -> simulation.instances().stream()
                        .filter(instance -> member.isOf(instance.runtimeId()))
                        .filter(SimulatedInstance::isRunning)
                        .findFirst());
    }

    private static long number(TopologyView view) {
        return ViewNumber.of(view).orElse(0);
    }
}
