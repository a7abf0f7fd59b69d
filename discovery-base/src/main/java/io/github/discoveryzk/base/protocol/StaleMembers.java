// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import io.github.discoveryzk.base.protocol.Facts.Suspect;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.LeaveRecord.Kind;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.StoreSnapshot;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Nodes of other instances, or of earlier incarnations of this one, that this instance must remove. */
final class StaleMembers {

    private StaleMembers() {}

    /** Returns the leave records of the nodes to remove. */
    static List<LeaveRecord> of(StoreSnapshot store, Facts facts, long now) {
        if (!mayExist(store, facts)) {
            return List.of();
        }
        Optional<Member> self = facts.self();
        Stream<Member> own = store.membersOf(facts.own().process().runtimeId()).stream();
        Stream<Member> predecessor = facts.intent().predecessor().stream().flatMap(id -> store.membersOf(id).stream());
        Stream<Member> ended = facts.intent().suspects().stream()
                .filter(Suspect::ended)
                .flatMap(suspect -> store.member(suspect.node()).stream());
        Stream<Member> evicted = facts.intent().evictions().stream().flatMap(node -> store.member(node).stream());
        return Stream.of(own, predecessor, ended, evicted)
                .flatMap(each -> each)
                .distinct()
                .filter(member -> !self.equals(Optional.of(member)))
                .sorted(Comparator.comparingLong(Member::seniority))
                .flatMap(member -> leaveRecord(member, self, facts, now).stream())
                .toList();
    }

    /** Almost always the only node in question is the present own one. */
    private static boolean mayExist(StoreSnapshot store, Facts facts) {
        int own = store.membersOf(facts.own().process().runtimeId()).size();
        return own > 1
                || own == 1 && facts.self().isEmpty()
                || facts.intent().predecessor().isPresent()
                || !facts.intent().suspects().isEmpty()
                || !facts.intent().evictions().isEmpty();
    }

    private static Optional<LeaveRecord> leaveRecord(Member other, Optional<Member> self, Facts facts, long now) {
        // A node of an earlier session may be in the view: its removal counts as leaving, so the listeners must return
        // first.
        if (other.isOf(facts.own().process().runtimeId())) {
            return facts.delivered() ? Optional.of(LeaveRecord.own(other.node(), Kind.REPLACED)) : Optional.empty();
        }
        if (facts.intent().predecessor().filter(other::isOf).isPresent()) {
            return Optional.of(LeaveRecord.own(other.node(), Kind.DIED));
        }
        Optional<Long> ended = facts.intent().suspects().stream()
                .filter(suspect -> suspect.ended() && suspect.node().equals(other.node()))
                .map(suspect -> now - suspect.since())
                .findFirst();
        Kind kind = ended.isPresent() ? Kind.DIED : Kind.EVICTED;
        return self.map(remover -> new LeaveRecord(other.node(), kind, remover.node(), ended.orElse(0L)));
    }
}
