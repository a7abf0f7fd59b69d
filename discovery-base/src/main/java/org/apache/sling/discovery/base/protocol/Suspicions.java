// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.sling.discovery.base.protocol.Facts.Alertness;
import org.apache.sling.discovery.commons.model.LeaveRecord;
import org.apache.sling.discovery.commons.model.LeaveRecord.Kind;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.Suspicion;
import org.apache.sling.discovery.commons.model.UnreadableMember;
import org.apache.sling.discovery.commons.spi.Request;

/**
 * The suspicions of this instance and those by it, in every state. A hint is no proof: an instance that lives refutes a suspicion in the
 * store, and only one that does not is removed. Other members take no notice before that.
 *
 * @param self its own member node, if it has one
 */
record Suspicions(Decision decision, StoreSnapshot store, Optional<String> self) {

    /** How long a suspicion stands before the verdict, at least. The accused needs three messages and a decision to refute it. */
    static final long VERDICT_MILLIS = 300;

    private static final int ROUND_TRIPS = 3;

    /** An instance with a longer round trip does not accuse: the fault may be its own. */
    private static final long HEALTHY_MILLIS = 100;

    /** While a suspicion stands, this instance wakes that often, so that it notices its own pauses. */
    private static final long WATCH_MILLIS = 50;

    static void decide(Decision decision) {
        Facts facts = decision.facts();
        Optional<StoreSnapshot> store =
                facts.store().filter(seen -> facts.link().usable());
        if (store.isPresent()
                && !(store.get().suspicions().isEmpty()
                        && facts.intent().suspects().isEmpty())) {
            Optional<String> self = facts.self().map(Member::node).or(() -> facts.unreadableSelf()
                    .map(UnreadableMember::node));
            new Suspicions(decision, store.get(), self).decide();
        }
    }

    private void decide() {
        all().filter(each -> isSelf(each.node())).forEach(this::refute);
        List<Suspicion> made = all().filter(each -> isSelf(each.by())).toList();
        made.forEach(this::pursue);
        // Those by an earlier node of this session.
        all().filter(each -> !store.isLive(each.by())).forEach(this::refute);
        if (self.isPresent() && !decision.facts().intent().leaving()) {
            suspects()
                    .filter(suspect -> !suspect.ended() && isCandidate(suspect.node()) && !isSelf(suspect.node()))
                    .map(suspect -> new Suspicion(suspect.node(), self.get()))
                    .filter(each -> !made.contains(each))
                    .forEach(this::accuse);
        }
    }

    private boolean isSelf(String node) {
        return self.filter(node::equals).isPresent();
    }

    private boolean isCandidate(String node) {
        return decision.candidates().nodes().contains(node);
    }

    private void refute(Suspicion suspicion) {
        decision.ask(new Request.Refute(suspicion));
    }

    private Stream<Suspicion> all() {
        return store.suspicions().stream().sorted(Comparator.comparing(Suspicion::node));
    }

    private Stream<Suspect> suspects() {
        return decision.facts().intent().suspects().stream().sorted(Comparator.comparing(Suspect::node));
    }

    private void accuse(Suspicion suspicion) {
        Alertness alertness = alertness();
        long healthyAt = alertness.hinderedAt() + verdictMillis();
        decision.wake(healthyAt);
        if (alertness.roundTripMillis() > HEALTHY_MILLIS) {
            decision.ask(new Request.Probe());
        } else if (decision.isReached(healthyAt)) {
            decision.ask(new Request.Suspect(suspicion));
        }
    }

    private void pursue(Suspicion suspicion) {
        boolean suspected = !decision.facts().intent().leaving()
                && store.isLive(suspicion.node())
                && suspects().anyMatch(suspect -> suspect.node().equals(suspicion.node()));
        if (!suspected) {
            refute(suspicion);
            return;
        }
        long seen = alertness().accusedSince().getOrDefault(suspicion.node(), decision.now());
        long verdict = Math.max(seen, alertness().hinderedAt()) + verdictMillis();
        decision.wake(Math.min(verdict, decision.now() + WATCH_MILLIS));
        if (decision.isReached(verdict)) {
            decision.ask(new Request.Convict(new LeaveRecord(suspicion.node(), Kind.CRASHED, suspicion.by())));
        }
    }

    private Alertness alertness() {
        return decision.facts().alertness();
    }

    private long verdictMillis() {
        return Math.max(VERDICT_MILLIS, ROUND_TRIPS * alertness().longestRoundTripMillis());
    }
}
