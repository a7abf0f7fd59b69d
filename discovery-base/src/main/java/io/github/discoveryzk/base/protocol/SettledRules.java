// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import static io.github.discoveryzk.model.ReasonCode.CONNECTION_LOST;
import static io.github.discoveryzk.model.ReasonCode.IS_ACKNOWLEDGED;
import static io.github.discoveryzk.model.ReasonCode.IS_LEAVING;
import static io.github.discoveryzk.model.ReasonCode.LEASE_OVER;
import static io.github.discoveryzk.model.ReasonCode.NODE_REMOVED;
import static io.github.discoveryzk.model.ReasonCode.NO_VIEW;
import static io.github.discoveryzk.model.ReasonCode.OTHER_CLUSTER;
import static io.github.discoveryzk.model.ReasonCode.OTHER_VIEW;
import static io.github.discoveryzk.model.ReasonCode.RECORD_UNREADABLE;
import static io.github.discoveryzk.model.ReasonCode.SESSION_OVER;
import static io.github.discoveryzk.model.ReasonCode.SETTLED;
import static io.github.discoveryzk.model.ReasonCode.STEPS_DOWN;
import static io.github.discoveryzk.model.ReasonCode.VIEW_INVALIDATED;

import io.github.discoveryzk.base.protocol.Effect.NotifyChanging;
import io.github.discoveryzk.base.protocol.Effect.NotifyProperties;
import io.github.discoveryzk.base.protocol.Facts.Confirmations;
import io.github.discoveryzk.base.protocol.Settling.Changing;
import io.github.discoveryzk.base.protocol.Settling.Settled;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ReasonCode;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.spi.SettlingPolicy.SuspendedPolicy;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The rules of an instance that acts on a view. It enters this state from {@link ChangingRules}, when the view in the store has
 * all live members, was not acknowledged by this instance, and the lease lasts. It leaves the state, for ever for that view, as
 * soon as one of these does not hold, or it steps down or leaves: the listeners receive CHANGING.
 */
record SettledRules(Decision decision) {

    Step decide(HeldView held) {
        Facts facts = decision.facts();
        List<Reason> why = invalidationReasons(held);
        if (!why.isEmpty()) {
            decision.emit(new NotifyChanging(held, why));
            decision.collectIfLeading(held.leads());
            // Nothing more in this step: whether listeners have returned is known only after they have received
            // CHANGING.
            return decision.step(
                    new Changing(
                            Optional.of(held),
                            decision.now(),
                            OptionalLong.empty(),
                            Optional.empty(),
                            Optional.empty()),
                    Waiting.of(VIEW_INVALIDATED, held.number()).because(why));
        }
        HeldView fresh =
                facts.store().flatMap(store -> HeldView.of(held.self(), store)).orElse(held);
        HeldView shown = fresh.sameProperties(held) ? held : fresh;
        if (shown != held) {
            decision.emit(new NotifyProperties(shown));
        }
        confirm(held);
        facts.self().ifPresent(self -> decision.keepRecord(self, self.record().invalidatedUpTo(), Optional.empty()));
        facts.store().filter(store -> facts.link().usable()).ifPresent(decision::removeStaleMembers);
        decision.collectIfLeading(held.leads());
        decision.settleUntil(new OwnLease(facts, held).end());
        return decision.step(new Settled(shown), Waiting.of(SETTLED));
    }

    /** Returns why the view is no longer current; empty as long as it is. */
    private List<Reason> invalidationReasons(HeldView held) {
        Facts facts = decision.facts();
        if (facts.intent().leaving()) {
            return because(IS_LEAVING);
        }
        if (decision.isSteppingDown(held.self())) {
            return because(STEPS_DOWN);
        }
        if (!facts.link().usable() && decision.policy().suspended() == SuspendedPolicy.STRICT) {
            return because(CONNECTION_LOST);
        }
        if (facts.self().filter(self -> self.node().equals(held.self())).isEmpty()) {
            ReasonCode gone = facts.store().isPresent() ? NODE_REMOVED : SESSION_OVER;
            return because(facts.unreadableSelf().isPresent() ? RECORD_UNREADABLE : gone);
        }
        if (decision.now() >= new OwnLease(facts, held).end()) {
            return because(LEASE_OVER);
        }
        return facts.store().map(store -> replacementReasons(held, store)).orElse(List.of());
    }

    private List<Reason> replacementReasons(HeldView held, StoreSnapshot store) {
        Candidates candidates = decision.candidates();
        if (store.view().filter(view -> view.number() == held.number()).isEmpty()) {
            return store.view().map(view -> because(OTHER_VIEW, view.number())).orElse(because(NO_VIEW));
        }
        if (!store.clusterId().equals(held.clusterId())) {
            return because(OTHER_CLUSTER);
        }
        if (!candidates.agreeWith(held.view())) {
            return candidates.difference(held.view());
        }
        if (store.isAcknowledged(held.view())) {
            return because(IS_ACKNOWLEDGED);
        }
        return candidates.unreadable().isEmpty()
                ? List.of()
                : candidates.unreadableWaiting().reasons();
    }

    private static List<Reason> because(ReasonCode code, Object... arguments) {
        return List.of(Reason.of(code, arguments));
    }

    /**
     * A ping proves nothing: a server that is cut off still replies to it. The successor probes the lease, so that it knows
     * how long the lease lasts if the leader vanishes. If it may not read the lease, a probe confirms its view instead: it then has to
     * wait for that lease when the leader vanishes.
     */
    private void confirm(HeldView held) {
        Facts facts = decision.facts();
        Confirmations last = facts.confirmations();
        if (held.leads()) {
            facts.self().ifPresent(self -> facts.store()
                    .ifPresent(store ->
                            decision.askAt(new OwnLease(facts, held).nextRenewal(), decision.renewal(self, store))));
        } else if (held.view().members().get(1).node().equals(held.self())) {
            decision.confirm(new Request.ProbeLease(), last.leaseProbed());
            decision.askAt(last.any() + facts.link().timeoutMillis() / 2, new Request.Probe());
        } else {
            decision.confirm(new Request.Probe(), last.any());
        }
    }
}
