// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.protocol.Candidates;
import org.apache.sling.discovery.base.protocol.Effect;
import org.apache.sling.discovery.base.protocol.Facts;
import org.apache.sling.discovery.base.protocol.Protocol;
import org.apache.sling.discovery.base.protocol.Settling;
import org.apache.sling.discovery.base.protocol.Settling.Changing;
import org.apache.sling.discovery.base.protocol.Step;
import org.apache.sling.discovery.commons.model.ReasonCode;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.testing.Effort;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An explorer that finds nothing proves nothing: each test plants a realistic fault in the protocol. */
class ExplorerFindsFaultsTest {

    private static final int STATES = 30_000;
    private static final long LONG_AGO = Long.MIN_VALUE / 4;

    /** A fault in the protocol, the scope that finds it, and the laws that break; the slow ones are for the profile. */
    record Fault(String name, boolean slow, Scope scope, String laws) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Fault> faults() {
        Protocol hasty = (state, facts, policy, now) ->
                keepingTheRound(state, trusting(Protocol.SETTLING.step(state, hasty(facts), policy, now)));
        Protocol forgetful =
                (state, facts, policy, now) -> Protocol.SETTLING.step(state, forgetting(facts), policy, now);
        // The settle timeout alone decides, and continues while the view stands again for its leader, which checks
        // nothing else.
        return Stream.of(
                        new Fault(
                                "a leader left out by a timer",
                                true,
                                Scopes.flicker().protocol(hasty),
                                "L6"),
                        new Fault(
                                "unreadable is gone",
                                false,
                                Scopes.blindNewcomer().protocol(forgetful),
                                "L3|L9|L14"),
                        new Fault(
                                "each own publication is a renewal",
                                false,
                                Scopes.stepIn().takingForDone(ExplorerFindsFaultsTest::renewing),
                                "L6"))
                .filter(fault -> Effort.isThorough() || !fault.slow());
    }

    private static Request renewing(Request request) {
        return request instanceof Request.Publish publish
                ? new Request.Renew(publish.node(), publish.expectedVersion(), publish.sessionTimeoutMillis())
                : request;
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isFound(Fault fault) {
        assertThat(brokenIn(fault.scope())).matches("(" + fault.laws() + ") .*");
    }

    private static String brokenIn(Scope scope) {
        Explorer.Result result = Explorer.explore(scope, STATES);
        List<String> transcript = result.broken().orElse(List.of(""));
        String law = transcript.get(transcript.size() - 1).strip();
        System.out.println(law + " after " + result.depth() + " choices and " + result.worlds() + " states: " + scope);
        return law;
    }

    /**
     * The lease of a leader in doubt is over immediately, and a view whose members are live stands although one has acknowledged
     * it.
     */
    private static Facts hasty(Facts facts) {
        return with(facts, facts.store().map(ExplorerFindsFaultsTest::unlessChanged), LONG_AGO);
    }

    private static StoreSnapshot unlessChanged(StoreSnapshot store) {
        boolean agreed = store.view().filter(Candidates.of(store)::agreeWith).isPresent();
        return agreed ? store.withAcknowledgements(store.acknowledgements().map(all -> Set.of())) : store;
    }

    private static Facts forgetting(Facts facts) {
        Optional<StoreSnapshot> store = facts.store().map(seen -> seen.withMembers(seen.members(), List.of()));
        return with(facts, store, facts.seen().renewalsSince());
    }

    private static Facts with(Facts facts, Optional<StoreSnapshot> store, long renewalsSince) {
        return new Facts(
                facts.own(),
                facts.link(),
                facts.seen().with(store, store.map(Candidates::of).orElse(facts.candidates()), renewalsSince),
                facts.confirmations(),
                facts.activity(),
                facts.intent(),
                facts.wallMillis());
    }

    /** Publications do not check the renewals. */
    private static Step trusting(Step step) {
        List<Effect> effects =
                step.effects().stream().map(ExplorerFindsFaultsTest::trusting).toList();
        return new Step(step.state(), effects, step.collect(), step.leaseEnd(), step.wakeAt(), step.waiting());
    }

    private static Effect trusting(Effect effect) {
        return effect instanceof Effect.Ask ask && ask.request() instanceof Request.Publish publish
                ? new Effect.Ask(new Request.Publish(
                        publish.next(),
                        publish.expectedVersion(),
                        publish.node(),
                        publish.entry(),
                        publish.heard(),
                        OptionalLong.empty(),
                        publish.format(),
                        publish.sessionTimeoutMillis()))
                : effect;
    }

    /** The progress of the change survives while the view stands again for the others. */
    private static Step keepingTheRound(Settling before, Step step) {
        boolean told = step.waiting().code() == ReasonCode.TELLING_VOID;
        if (!told || !(before instanceof Changing known) || !(step.state() instanceof Changing next)) {
            return step;
        }
        Changing kept = new Changing(next.last(), next.since(), next.acknowledged(), known.progress(), next.idleLead());
        return new Step(kept, step.effects(), step.collect(), step.leaseEnd(), step.wakeAt(), step.waiting());
    }
}
