// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.commons.settle.Candidates;
import org.apache.sling.discovery.commons.settle.Effect;
import org.apache.sling.discovery.commons.settle.Facts;
import org.apache.sling.discovery.commons.settle.Facts.Confirmations;
import org.apache.sling.discovery.commons.settle.Held;
import org.apache.sling.discovery.commons.settle.Protocol;
import org.apache.sling.discovery.commons.settle.Settling;
import org.apache.sling.discovery.commons.settle.Step;
import org.apache.sling.discovery.commons.spi.Request;
import org.junit.jupiter.api.Test;

/**
 * A simulation that finds nothing proves nothing. Each test plants one of the classic faults of such protocols, by letting the
 * protocol believe what an instance with that fault would, and expects a law to break soon.
 */
class PlantedFaultsTest {

    private static final long SEEDS = 3_000;

    @Test
    void acknowledgingBeforeListenersReturned() {
        assertThat(lawBrokenBy(facts -> withDelivering(facts, List.of()))).startsWith("L5");
    }

    @Test
    void publishingWithoutWaitingForSurvivors() {
        assertThat(lawBrokenBy(facts -> withStore(facts, PlantedFaultsTest::allAcknowledged)))
                .startsWith("L5");
    }

    @Test
    void leavingTheViewNumberOutOfTheComparison() {
        Protocol careless = (state, facts, policy, now) ->
                Protocol.SETTLING.step(forgetful(state), sameMembersSameView(state, facts), policy, now);
        assertThat(lawBrokenBy(careless)).startsWith("L");
    }

    @Test
    void orderingByTheSuffixOfTheName() {
        assertThat(lawBrokenBy(facts -> withStore(facts, PlantedFaultsTest::orderedBySuffix)))
                .startsWith("L");
    }

    @Test
    void skippingTheVersionCheckOnPublication() {
        Protocol careless =
                (state, facts, policy, now) -> withoutVersionCheck(Protocol.SETTLING.step(state, facts, policy, now));
        assertThat(lawBrokenBy(careless)).startsWith("L");
    }

    /** A server that is cut off from the others goes on answering. */
    @Test
    void takingAReadForARenewal() {
        assertThat(lawBrokenBy(facts -> withConfirmations(
                        facts,
                        new Confirmations(
                                facts.confirmations().any(),
                                facts.confirmations().inquired(),
                                facts.confirmations().any()))))
                .startsWith("L6");
    }

    @Test
    void succeedingALeaderThatMayNotHaveNoticed() {
        assertThat(lawBrokenBy(facts -> withRenewalsSince(facts, Long.MIN_VALUE / 4)))
                .startsWith("L6");
    }

    @Test
    void takingTheNumberOfTheViewForTheToken() {
        assertThat(lawBrokenBy(facts -> withStore(facts, PlantedFaultsTest::tokenFromTheNumber)))
                .startsWith("L7");
    }

    @Test
    void forgettingTheHighestNumber() {
        assertThat(lawBrokenBy(facts -> withHighest(withStore(facts, PlantedFaultsTest::withoutMemory), 0)))
                .startsWith("L");
    }

    private static String lawBrokenBy(UnaryOperator<Facts> delusion) {
        return lawBrokenBy((Protocol)
                (state, facts, policy, now) -> Protocol.SETTLING.step(state, delusion.apply(facts), policy, now));
    }

    /** Returns the name of the first law that breaks, or an empty text. */
    private static String lawBrokenBy(Protocol faulty) {
        for (long seed = 0; seed < SEEDS; seed++) {
            try {
                Simulation.playOnce(seed, faulty);
            } catch (LawBroken broken) {
                System.out.println("seed " + seed + " breaks " + broken.getMessage());
                return broken.getMessage();
            }
        }
        return "";
    }

    private static Facts withDelivering(Facts facts, List<String> delivering) {
        return new Facts(
                facts.own(),
                facts.link(),
                facts.store(),
                facts.confirmations(),
                facts.renewalsSince(),
                facts.highest(),
                facts.acknowledged(),
                delivering,
                facts.underWay(),
                facts.intent(),
                facts.wallMillis());
    }

    private static Facts withStore(Facts facts, UnaryOperator<StoreSnapshot> view) {
        return new Facts(
                facts.own(),
                facts.link(),
                facts.store().map(view),
                facts.confirmations(),
                facts.renewalsSince(),
                facts.highest(),
                facts.acknowledged(),
                facts.delivering(),
                facts.underWay(),
                facts.intent(),
                facts.wallMillis());
    }

    private static Facts withConfirmations(Facts facts, Confirmations confirmations) {
        return with(facts, confirmations, facts.renewalsSince(), facts.highest());
    }

    private static Facts withRenewalsSince(Facts facts, long renewalsSince) {
        return with(facts, facts.confirmations(), renewalsSince, facts.highest());
    }

    private static Facts withHighest(Facts facts, long highest) {
        return with(facts, facts.confirmations(), facts.renewalsSince(), highest);
    }

    private static Facts with(Facts facts, Confirmations confirmations, long renewalsSince, long highest) {
        return new Facts(
                facts.own(),
                facts.link(),
                facts.store(),
                confirmations,
                renewalsSince,
                highest,
                facts.acknowledged(),
                facts.delivering(),
                facts.underWay(),
                facts.intent(),
                facts.wallMillis());
    }

    private static StoreSnapshot tokenFromTheNumber(StoreSnapshot store) {
        return store.view()
                .map(view -> withView(
                        store,
                        new EstablishedView(
                                view.number(),
                                view.previous(),
                                view.number(),
                                view.sessionMillis(),
                                view.leaderSinceMillis(),
                                view.members(),
                                view.leftOut(),
                                view.cause(),
                                view.initiator())))
                .orElse(store);
    }

    private static StoreSnapshot withoutMemory(StoreSnapshot store) {
        ViewSlot slot = new ViewSlot(store.slot().version(), store.slot().stamp(), 0, store.view());
        return store.withSlot(slot);
    }

    /** A view that stands is left alone, so that the fault shows while it is replaced. */
    private static StoreSnapshot allAcknowledged(StoreSnapshot store) {
        if (store.view().filter(Candidates.of(store)::agreeWith).isPresent()) {
            return store;
        }
        Set<Acknowledgement> all = new HashSet<>();
        store.view().ifPresent(view -> view.members()
                .forEach(member -> all.add(new Acknowledgement(member.node(), view.number()))));
        return new StoreSnapshot(
                store.clusterId(), store.members(), store.slot(), Optional.of(all), store.inquiry(), store.problems());
    }

    private static StoreSnapshot withMembers(StoreSnapshot store, List<Member> members) {
        return new StoreSnapshot(
                store.clusterId(), members, store.slot(), store.acknowledgements(), store.inquiry(), store.problems());
    }

    private static StoreSnapshot orderedBySuffix(StoreSnapshot store) {
        return withMembers(
                store,
                store.members().stream()
                        .map(member -> new Member(
                                member.node(),
                                suffix(member),
                                member.createdMillis(),
                                member.session(),
                                member.record()))
                        .sorted(Comparator.comparingLong(Member::seniority))
                        .toList());
    }

    private static long suffix(Member member) {
        return Long.parseLong(member.node().substring("m-0123456789abcdef-".length()));
    }

    /** Whoever compares members only takes another view with the same members for the one it holds. */
    private static Facts sameMembersSameView(Settling state, Facts facts) {
        Optional<Held> held = state instanceof Settling.Settled settled ? settled.last() : Optional.empty();
        return withStore(facts, store -> held.filter(own -> store.view()
                        .filter(view -> view.members().equals(own.view().members()))
                        .isPresent())
                .map(own -> withView(store, own.view()))
                .orElse(store));
    }

    /** And whoever has left a view behind takes it up again when the members are again what they were. */
    private static Settling forgetful(Settling state) {
        return state instanceof Settling.Changing changing
                ? new Settling.Changing(
                        changing.last(), changing.since(), OptionalLong.empty(), changing.round(), changing.idleLead())
                : state;
    }

    private static StoreSnapshot withView(StoreSnapshot store, EstablishedView view) {
        return new StoreSnapshot(
                store.clusterId(),
                store.members(),
                new ViewSlot(
                        store.slot().version(),
                        store.slot().stamp(),
                        store.slot().recorded(),
                        Optional.of(view)),
                store.acknowledgements(),
                store.inquiry(),
                store.problems());
    }

    private static Step withoutVersionCheck(Step step) {
        List<Effect> effects = new ArrayList<>();
        for (Effect effect : step.effects()) {
            boolean publishes = effect instanceof Effect.Ask ask && ask.request() instanceof Request.Publish;
            effects.add(publishes ? withoutVersionCheck((Request.Publish) ((Effect.Ask) effect).request()) : effect);
        }
        return new Step(step.state(), effects, step.collect(), step.leaseEnd(), step.wakeAt(), step.waiting());
    }

    private static Effect withoutVersionCheck(Request.Publish publish) {
        return new Effect.Ask(new Request.Publish(
                publish.next(),
                -1,
                publish.node(),
                publish.entry(),
                publish.heard(),
                publish.renewals(),
                publish.format()));
    }
}
