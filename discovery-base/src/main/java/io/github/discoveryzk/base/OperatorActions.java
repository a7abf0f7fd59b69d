// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base;

import io.github.discoveryzk.base.engine.TopologyEngine;
import io.github.discoveryzk.base.journal.Journal;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.report.Operator;
import io.github.discoveryzk.report.State;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The actions of an operator, each with the decision whether it can be carried out now. An action that cannot is refused: it does
 * not happen later either.
 */
final class OperatorActions implements Operator {

    private final String instanceId;
    private final String runtimeId;
    private final TopologyEngine engine;
    private final Supplier<CompletableFuture<Void>> preparation;

    /** @param preparation begins what is to be done before this instance steps down */
    OperatorActions(
            String instanceId, String runtimeId, TopologyEngine engine, Supplier<CompletableFuture<Void>> preparation) {
        this.instanceId = instanceId;
        this.runtimeId = runtimeId;
        this.engine = engine;
        this.preparation = preparation;
    }

    /** A member of the view has a place to give up; the connection must be usable for the removal of its node. */
    @Override
    public Result stepDown() {
        Optional<String> obstacle = obstacle()
                .or(() -> isMember()
                        ? Optional.empty()
                        : Optional.of("it is not a member of the view, so it has no seniority"));
        if (obstacle.isPresent()) {
            return new Result(false, instanceId + " does not step down: " + obstacle.get());
        }
        preparation.get().whenComplete((done, thrown) -> engine.stepDown());
        return new Result(
                true,
                instanceId
                        + " steps down: it gives up its seniority when its listeners have returned from CHANGING, and"
                        + " rejoins at the end of the order");
    }

    /** The leave record names the node of the evictor. */
    @Override
    public Result evict(String instanceIdOrNode) {
        Optional<String> obstacle = obstacle();
        if (obstacle.isPresent()) {
            return new Result(false, "no instance is evicted: " + obstacle.get());
        }
        List<Member> named = journal().store().map(StoreSnapshot::members).orElse(List.of()).stream()
                .filter(member -> member.node().equals(instanceIdOrNode)
                        || member.instanceId().equals(instanceIdOrNode))
                .toList();
        List<Member> found =
                named.stream().filter(member -> !member.isOf(runtimeId)).toList();
        if (named.isEmpty() && hasLeft(instanceIdOrNode)) {
            engine.dismiss(instanceIdOrNode);
            return new Result(
                    true, instanceIdOrNode + " has left already; " + instanceId + " does not report it any more");
        }
        // An id that this instance shares, such as the one for which it is refused, is ambiguous too.
        if (found.isEmpty() || named.size() > 1) {
            return new Result(
                    false,
                    found.isEmpty()
                            ? "no instance is evicted: no other live instance has the id or the node "
                                    + instanceIdOrNode
                            : "no instance is evicted: choose one of the nodes "
                                    + found.stream().map(Member::node).collect(Collectors.joining(", ")));
        }
        Member member = found.get(0);
        engine.evict(member.node());
        return new Result(
                true,
                member.instanceId() + " (node " + member.node() + ") is being evicted by " + instanceId
                        + "; if its process lives it rejoins at the end of the order");
    }

    @Override
    public Result lead(String instanceIdOrNode) {
        Optional<String> obstacle = obstacle();
        if (obstacle.isPresent()) {
            return new Result(false, "no instance is made the leader: " + obstacle.get());
        }
        List<Incarnation> members = journal()
                .store()
                .flatMap(StoreSnapshot::view)
                .map(EstablishedView::members)
                .orElse(List.of());
        List<Incarnation> seniors = members.stream()
                .takeWhile(each -> !isNamed(each, instanceIdOrNode))
                .toList();
        if (seniors.size() == members.size()) {
            return new Result(
                    false, "no instance is made the leader: " + instanceIdOrNode + " is not a member of the view");
        }
        if (seniors.isEmpty()) {
            return new Result(false, instanceIdOrNode + " leads already");
        }
        engine.lead(members.get(seniors.size()).node());
        return new Result(
                true,
                instanceIdOrNode + " is to lead. Still senior to it: "
                        + seniors.stream().map(Incarnation::instanceId).collect(Collectors.joining(", "))
                        + ". " + instanceId
                        + " evicts each in turn, the leader last, and steps down if it is one of them. They"
                        + " rejoin at the end of the order; repeat this to see who is left");
    }

    private static boolean isNamed(Incarnation member, String instanceIdOrNode) {
        return member.instanceId().equals(instanceIdOrNode) || member.node().equals(instanceIdOrNode);
    }

    private boolean hasLeft(String id) {
        return journal().departures().departed().stream()
                .anyMatch(gone -> gone.member().instanceId().equals(id));
    }

    /** Returns why this instance can act on no instance; empty when it can. */
    private Optional<String> obstacle() {
        State state = journal().standing().name();
        boolean announced = own().isPresent();
        boolean silent = journal().session().isSilent();
        return switch (state) {
            case CONNECTING, SUSPENDED, CUT_OFF -> Optional.of(
                    "this instance has no connection to " + journal().session().address());
            case STOPPED -> Optional.of("this instance has stopped");
            case QUARANTINED, EXCLUDED -> Optional.of(
                    "this instance is " + state + " and has to announce itself again first");
            case JOINING, REFUSED, SETTLED, CHANGING -> silent
                    ? Optional.of("this instance gets no reply from "
                            + journal().session().address())
                    : announced ? Optional.empty() : Optional.of("this instance has not announced itself");
        };
    }

    private Optional<Member> own() {
        return journal()
                .store()
                .flatMap(seen -> seen.owned(runtimeId, journal().session().id()));
    }

    private boolean isMember() {
        return own().flatMap(member -> journal().store().filter(seen -> seen.isInView(member.node())))
                .isPresent();
    }

    private Journal journal() {
        return engine.journal();
    }
}
