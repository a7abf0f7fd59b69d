// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.testing;

import static org.apache.sling.discovery.testing.Samples.record;
import static org.apache.sling.discovery.testing.Samples.withProperties;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.testing.RecordingObserver.Observed;
import org.junit.jupiter.api.Test;

/** The contract of member nodes and of acknowledgements. */
interface MemberContract extends StoreContract {

    // Members

    @Test
    default void storesSeeEachOthersMembersBySeniority() {
        List<Peer> all = List.of(open("c"), open("a"), open("b"));
        all.forEach(Peer::join);

        for (Peer peer : all) {
            peer.awaitSnapshot(seen -> seen.members().size() == 3);
            List<Member> members = peer.snapshot().members();
            assertThat(members).extracting(Member::instanceId).containsExactly("c", "a", "b");
            assertThat(members).extracting(Member::session).containsExactlyElementsOf(sessions(all));
            assertThat(members).extracting(Member::node).doesNotHaveDuplicates();
            assertThat(members.get(0).seniority()).isLessThan(members.get(1).seniority());
            assertThat(members.get(1).seniority()).isLessThan(members.get(2).seniority());
        }
    }

    @Test
    default void recordsAreShownAsTheyWereWritten() {
        Peer a = open("a");
        Peer b = open("b");
        MemberRecord created = new MemberRecord(
                "a",
                new ProcessInfo("runtime-ä", "höst", 4711, "/home/of a", 1_234_567_890_123L),
                9_000,
                OptionalLong.of(12),
                Optional.of("listener \"x\""),
                Map.of("p", "", "q.r-s_t", "Grüße, 世界\n"));
        a.ask(new Request.Announce(created), Status.DONE);
        b.awaitSnapshot(seen -> seen.members().size() == 1);
        assertThat(b.snapshot().members().get(0).record()).isEqualTo(created);

        MemberRecord updated = record("a");
        a.awaitSnapshot(seen -> seen.members().size() == 1);
        a.ask(new Request.Update(a.snapshot().members().get(0).node(), updated), Status.DONE);
        b.awaitSnapshot(seen -> seen.members().get(0).record().equals(updated));
    }

    @Test
    default void updateKeepsNodeSeniorityAndSession() {
        Peer a = open("a");
        Peer b = open("b");
        Member before = a.join();
        b.join();
        MemberRecord other = withProperties(before.record(), Map.of("p", "1"));
        a.ask(new Request.Update(before.node(), other), Status.DONE);

        b.awaitSnapshot(seen -> seen.members()
                .contains(new Member(
                        before.node(), before.seniority(), before.createdMillis(), before.session(), other)));
        assertThat(b.snapshot().members().get(0).node()).isEqualTo(before.node());
    }

    @Test
    default void updateOfAMissingNodeIsRefused() {
        Peer a = open("a");
        Member own = a.join();
        a.ask(new Request.Delete(DepartureNote.own(own.node(), DepartureNote.Kind.STOPPED)), Status.DONE);
        a.ask(new Request.Update(own.node(), record("a")), Status.OVERTAKEN);

        a.awaitSnapshot(seen -> seen.members().isEmpty());
    }

    @Test
    default void deleteIsDoneAlsoWhenNothingIsThere() {
        Peer a = open("a");
        Peer b = open("b");
        Member own = a.join();
        b.awaitSnapshot(seen -> seen.members().size() == 1);
        a.ask(new Request.Delete(DepartureNote.own(own.node(), DepartureNote.Kind.STOPPED)), Status.DONE);
        a.ask(new Request.Delete(DepartureNote.own(own.node(), DepartureNote.Kind.STOPPED)), Status.DONE);

        b.awaitSnapshot(seen -> seen.members().isEmpty());
    }

    @Test
    default void eachCreateMakesAnotherNode() {
        Peer a = open("a");
        Member first = a.join();
        a.ask(new Request.Announce(record("a")), Status.DONE);

        a.awaitSnapshot(seen -> seen.members().size() == 2);
        assertThat(a.snapshot().owned("run-a", a.session())).contains(first);
    }

    @Test
    default void requestsTakeEffectInTheOrderOfTheCalls() {
        Peer a = open("a");
        Peer b = open("b");
        Member own = a.join();
        for (int i = 0; i < REPEATED; i++) {
            a.ask(new Request.Update(own.node(), withProperties(own.record(), Map.of("p", String.valueOf(i)))));
        }
        await(a::isCompleted);

        String last = String.valueOf(REPEATED - 1);
        b.awaitSnapshot(seen -> seen.members().stream()
                .anyMatch(member -> last.equals(member.record().properties().get("p"))));
    }

    // Acknowledgements

    @Test
    default void acknowledgementsAreShownToCollectorsOnly() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        a.store.collect(true);
        a.awaitSnapshot(seen -> seen.acknowledgements().equals(Optional.of(Set.of())));
        b.ask(new Request.Acknowledge(ofB.node(), 5), Status.DONE);
        a.ask(new Request.Acknowledge(ofA.node(), 5), Status.DONE);

        a.awaitAcknowledgements(new Acknowledgement(ofA.node(), 5), new Acknowledgement(ofB.node(), 5));
        b.ask(new Request.Probe(), Status.DONE);
        assertThat(b.observer.all(Observed.class))
                .allSatisfy(
                        each -> assertThat(each.snapshot().acknowledgements()).isEmpty());
    }

    @Test
    default void acknowledgementsThatWereThereBeforeAreCollected() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofB = b.join();
        b.ask(new Request.Acknowledge(ofB.node(), 5), Status.DONE);
        a.store.collect(true);

        a.awaitAcknowledgements(new Acknowledgement(ofB.node(), 5));
    }

    @Test
    default void aMembersNextAcknowledgementReplacesItsLast() {
        Peer a = open("a");
        Member own = a.join();
        a.store.collect(true);
        a.ask(new Request.Acknowledge(own.node(), 5), Status.DONE);
        a.ask(new Request.Acknowledge(own.node(), 6), Status.DONE);
        a.ask(new Request.Acknowledge(own.node(), 6), Status.DONE);

        a.awaitAcknowledgements(new Acknowledgement(own.node(), 6));
    }

    @Test
    default void anAcknowledgementEndsWithItsSessionAndNotWithTheMemberThatAnotherOneRemoves() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        a.store.collect(true);
        b.ask(new Request.Acknowledge(ofB.node(), 5), Status.DONE);
        a.ask(new Request.Delete(new DepartureNote(ofB.node(), DepartureNote.Kind.EVICTED, ofA.node())), Status.DONE);
        a.awaitSnapshot(seen -> seen.members().size() == 1);
        a.awaitAcknowledgements(new Acknowledgement(ofB.node(), 5));

        b.close();
        a.awaitAcknowledgements();
    }

    @Test
    default void anInstanceThatStopsCollectingSeesNoAcknowledgements() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofB = b.join();
        a.store.collect(true);
        a.awaitSnapshot(seen -> seen.acknowledgements().isPresent());
        a.store.collect(false);
        b.ask(new Request.Acknowledge(ofB.node(), 5), Status.DONE);
        a.join();

        a.awaitSnapshot(
                seen -> seen.members().size() == 2 && seen.acknowledgements().isEmpty());
    }

    private static List<Long> sessions(List<Peer> peers) {
        return peers.stream().map(Peer::session).toList();
    }
}
