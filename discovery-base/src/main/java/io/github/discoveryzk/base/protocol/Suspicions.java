// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import io.github.discoveryzk.base.protocol.Facts.Suspect;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.LeaveRecord.Kind;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.StoreSnapshot;
import io.github.discoveryzk.model.Suspicion;
import io.github.discoveryzk.model.UnreadableMember;
import io.github.discoveryzk.spi.Request;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The suspicions of this instance and those by it, in every state. A hint proves nothing: an instance that lives refutes a suspicion in the
 * store, and only one that does not is removed. Other members take no notice before that.
 *
 * @param self its own member node
 */
record Suspicions(Decision decision, StoreSnapshot store, String self) {

    /** How long a suspicion stands before the verdict, at least. The accused needs three messages and a decision to refute it. */
    static final long VERDICT_MILLIS = 300;

    /** While a suspicion stands, this instance wakes that often, so that it notices its own pauses. */
    private static final long WATCH_MILLIS = 50;

    static void decide(Decision decision) {
        Facts facts = decision.facts();
        Optional<String> self =
                facts.self().map(Member::node).or(() -> facts.unreadableSelf().map(UnreadableMember::node));
        facts.store()
                .filter(seen -> facts.link().usable())
                .ifPresent(seen -> new Suspicions(decision, seen, self.orElse("")).decide());
    }

    private void decide() {
        List<Suspect> hints = decision.facts().intent().suspects().stream()
                .filter(hint -> !self.isEmpty() && !hint.node().equals(self))
                .filter(hint -> decision.candidates().nodes().contains(hint.node()))
                .sorted(Comparator.comparing(Suspect::node).thenComparing(Suspect::since))
                .toList();
        store.suspicions().stream()
                .filter(each -> each.node().equals(self))
                .sorted(Comparator.comparing(Suspicion::by))
                .forEach(each -> decision.ask(new Request.Refute(each)));
        store.suspicions().stream()
                .filter(each -> !each.node().equals(self) && isOver(each, hints))
                .min(Comparator.comparing(Suspicion::node).thenComparing(Suspicion::by))
                .ifPresent(each -> decision.ask(new Request.Withdraw(each)));
        hints.forEach(this::judge);
    }

    /** A suspicion by an earlier node of this session is not pursued. */
    private boolean isOver(Suspicion suspicion, List<Suspect> hints) {
        return !store.isLive(suspicion.by())
                || suspicion.by().equals(self)
                        && hints.stream().noneMatch(hint -> hint.node().equals(suspicion.node()));
    }

    /** Each verdict waits for the last suspicion. */
    private void judge(Suspect hint) {
        Facts facts = decision.facts();
        long at = facts.calmSince() + VERDICT_MILLIS;
        Suspicion own = new Suspicion(hint.node(), self);
        if (store.suspicions().contains(own)) {
            decision.wake(decision.now() + WATCH_MILLIS);
            long after = decision.now() - hint.since();
            decision.askAt(
                    Math.max(at, facts.suspectingSince() + VERDICT_MILLIS),
                    new Request.Convict(new LeaveRecord(hint.node(), Kind.CRASHED, self, after)));
        } else if (!hint.ended()) {
            decision.askAt(at, new Request.Suspect(own));
        }
    }
}
