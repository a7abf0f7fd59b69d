// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.base.protocol.Facts.Suspect;
import org.apache.sling.discovery.commons.model.LeaveRecord;
import org.apache.sling.discovery.commons.model.LeaveRecord.Kind;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.Suspicion;
import org.apache.sling.discovery.commons.model.UnreadableMember;
import org.apache.sling.discovery.commons.spi.Request;

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
        // One is refuted at a time; others may remove this instance meanwhile.
        List<Suspicion> standing = store.suspicions().stream()
                .sorted(Comparator.comparing((Suspicion each) -> !each.node().equals(self))
                        .thenComparing(Suspicion::node))
                .toList();
        standing.forEach(this::decide);
        decision.facts().intent().suspects().stream()
                .filter(suspect -> !suspect.ended() && hint(suspect.node()).isPresent())
                .map(suspect -> new Suspicion(suspect.node(), self))
                .filter(each -> !standing.contains(each))
                .min(Comparator.comparing(Suspicion::node))
                .ifPresent(each -> decision.askAt(judgesAt(), new Request.Suspect(each)));
    }

    /** A suspicion by an earlier node of this session is not pursued. */
    private void decide(Suspicion suspicion) {
        String node = suspicion.node();
        boolean own = suspicion.by().equals(self);
        Optional<Suspect> hint = hint(node);
        if (node.equals(self) || !store.isLive(suspicion.by()) || own && hint.isEmpty()) {
            decision.ask(new Request.Refute(suspicion));
        } else if (own) {
            decision.wake(decision.now() + WATCH_MILLIS);
            long after = decision.now() - hint.get().since();
            decision.askAt(judgesAt(), new Request.Convict(new LeaveRecord(node, Kind.CRASHED, self, after)));
        }
    }

    /** Returns when this instance may judge others. */
    private long judgesAt() {
        return decision.facts().calmSince() + VERDICT_MILLIS;
    }

    /** Returns the hint about another member, unless this instance leaves or is not a member. */
    private Optional<Suspect> hint(String node) {
        Facts.Intent intent = decision.facts().intent();
        boolean judges = !intent.leaving() && !self.isEmpty() && !node.equals(self);
        return intent.suspects().stream()
                .filter(each -> each.node().equals(node))
                .filter(each -> judges && decision.candidates().nodes().contains(node))
                .min(Comparator.comparingLong(Suspect::since));
    }
}
