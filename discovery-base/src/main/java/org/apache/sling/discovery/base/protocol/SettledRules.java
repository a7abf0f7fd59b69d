// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import static org.apache.sling.discovery.base.protocol.Waiting.Reason.LISTENERS;
import static org.apache.sling.discovery.base.protocol.Waiting.Reason.NOTHING;

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.sling.discovery.base.protocol.Effect.TellChanging;
import org.apache.sling.discovery.base.protocol.Effect.TellProperties;
import org.apache.sling.discovery.base.protocol.Facts.Confirmations;
import org.apache.sling.discovery.base.protocol.Settling.Changing;
import org.apache.sling.discovery.base.protocol.Settling.Settled;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.SettlingPolicy.SuspendedPolicy;

/**
 * The rules of an instance that acts on a view. It enters this state from {@link ChangingRules}, when the view in the store has
 * all live members, was not acknowledged by this instance, and the lease lasts. It leaves the state, for ever for that view, as
 * soon as one of these does not hold, or it stands down or leaves: the listeners receive CHANGING.
 */
record SettledRules(Decision decision) {

    Step decide(HeldView held) {
        Agenda agenda = decision.agenda();
        Facts facts = decision.facts();
        Optional<String> why = voidReason(held);
        if (why.isPresent()) {
            agenda.tell(new TellChanging(held, why.get()));
            decision.collect(held.leads());
            // Nothing more in this step: whether listeners have returned is known only after they have received
            // CHANGING.
            return agenda.step(
                    new Changing(
                            Optional.of(held),
                            decision.now(),
                            OptionalLong.empty(),
                            Optional.empty(),
                            Optional.empty()),
                    new Waiting(LISTENERS, "view " + held.number() + " is void: " + why.get()));
        }
        HeldView fresh =
                facts.store().flatMap(store -> HeldView.of(held.self(), store)).orElse(held);
        HeldView told = fresh.sameProperties(held) ? held : fresh;
        if (told != held) {
            agenda.tell(new TellProperties(told));
        }
        confirm(held);
        facts.self().ifPresent(self -> decision.keepRecord(self, self.record().voidUpTo(), Optional.empty()));
        facts.store().filter(store -> facts.link().usable()).ifPresent(decision::removeStaleMembers);
        decision.collect(held.leads());
        agenda.settleUntil(new OwnLease(facts, held).end());
        return agenda.step(new Settled(told), new Waiting(NOTHING, "settled"));
    }

    /** Returns why the view is not current any more; empty as long as it is. */
    private Optional<String> voidReason(HeldView held) {
        Facts facts = decision.facts();
        if (facts.intent().leaving()) {
            return Optional.of("this instance is leaving");
        }
        if (decision.isStandingDown(held.self())) {
            return Optional.of("this instance stands down");
        }
        if (!facts.link().usable() && decision.policy().suspended() == SuspendedPolicy.STRICT) {
            return Optional.of("the connection to the store is lost");
        }
        if (facts.self().filter(self -> self.node().equals(held.self())).isEmpty()) {
            return Optional.of(
                    facts.unreadableSelf().isPresent()
                            ? "the record of this instance in the store cannot be read"
                            : "the session of this instance is over");
        }
        if (decision.now() >= new OwnLease(facts, held).end()) {
            return Optional.of("the lease is over because the store has not replied in time");
        }
        return facts.store().flatMap(store -> replacementReason(held, store));
    }

    private Optional<String> replacementReason(HeldView held, StoreSnapshot store) {
        Candidates candidates = decision.candidates();
        if (store.view().filter(view -> view.number() == held.number()).isEmpty()) {
            return Optional.of("the store holds "
                    + store.view().map(view -> "view " + view.number()).orElse("no view"));
        }
        if (!store.clusterId().equals(held.clusterId())) {
            return Optional.of("the store holds another cluster");
        }
        if (!candidates.agreeWith(held.view())) {
            return Optional.of(candidates.difference(held.view()));
        }
        if (store.isAcknowledged(held.view())) {
            return Optional.of("another member has acknowledged it");
        }
        return candidates.unreadable().isEmpty()
                ? Optional.empty()
                : Optional.of(Explanation.unreadable(candidates).sentence());
    }

    /**
     * A ping proves nothing: a server that is cut off still replies to it. The next in order probes the lease, so that it knows
     * how long the lease lasts if the leader vanishes. If it may not read the lease, a probe confirms its view instead: it then has to
     * wait for that lease when the leader vanishes.
     */
    private void confirm(HeldView held) {
        Facts facts = decision.facts();
        Confirmations last = facts.confirmations();
        if (held.leads()) {
            facts.self().ifPresent(self -> facts.store().ifPresent(store -> decision.agenda()
                    .askAt(new OwnLease(facts, held).renewalDue(), decision.renewal(self, store))));
        } else if (held.view().members().get(1).node().equals(held.self())) {
            decision.confirm(new Request.ProbeLease(), last.leaseProbed());
            decision.agenda().askAt(last.any() + facts.link().timeoutMillis() / 2, new Request.Probe());
        } else {
            decision.confirm(new Request.Probe(), last.any());
        }
    }
}
