// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.FormatRange;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.ProcessInfo;
import io.github.discoveryzk.spi.Outcome.Status;
import io.github.discoveryzk.spi.Request;
import io.github.discoveryzk.testing.RecordingObserver.Observed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The contract of member nodes and of acknowledgements. */
interface MemberContract extends StoreContract {

    // Members

    @Test
    default void storesSeeEachOthersMembersBySeniority() {
        List<Witness> all = List.of(open("c"), open("a"), open("b"));
        all.forEach(Witness::join);

        for (Witness peer : all) {
            peer.awaitMembers(3);
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
        Witness a = open("a");
        Witness b = open("b");
        MemberRecord created = new MemberRecord(
                "a",
                new ProcessInfo(Samples.runtimeId("x"), "höst", 4711, "/home/of a", 1_234_567_890_123L),
                9_000,
                OptionalLong.of(12),
                Optional.of("listener \"x\""),
                Map.of("p", "", "q.r-s_t", "Grüße, 世界\n"),
                FormatRange.CURRENT.oldest());
        a.ask(new Request.Announce(created), Status.DONE);
        b.awaitMembers(1);
        assertThat(b.snapshot().members().get(0).record()).isEqualTo(created);

        MemberRecord updated = a.record(Map.of());
        a.awaitMembers(1);
        a.ask(new Request.Update(a.snapshot().members().get(0).node(), updated), Status.DONE);
        b.awaitSnapshot(seen -> seen.members().get(0).record().equals(updated));
    }

    @Test
    default void updateKeepsNodeSeniorityAndSession() {
        Witness a = joined("a");
        Witness b = joined("b");
        MemberRecord other = a.record(Map.of("p", "1"));
        a.ask(new Request.Update(a.member.node(), other), Status.DONE);

        b.awaitSnapshot(seen -> seen.members()
                .contains(new Member(
                        a.member.node(), a.member.seniority(), a.member.createdMillis(), a.member.session(), other)));
        assertThat(b.snapshot().members().get(0).node()).isEqualTo(a.member.node());
    }

    @Test
    default void updateOfAMissingNodeIsRefused() {
        Witness a = joined("a");
        a.leave(LeaveRecord.Kind.STOPPED);
        a.ask(new Request.Update(a.member.node(), a.record(Map.of())), Status.OVERTAKEN);

        a.awaitMembers(0);
    }

    @Test
    default void deleteIsDoneAlsoWhenNothingIsThere() {
        Witness a = joined("a");
        Witness b = open("b");
        b.awaitMembers(1);
        a.leave(LeaveRecord.Kind.STOPPED);
        a.leave(LeaveRecord.Kind.STOPPED);

        b.awaitMembers(0);
    }

    @Test
    default void eachCreateMakesAnotherNode() {
        Witness a = joined("a");
        a.ask(new Request.Announce(a.record(Map.of())), Status.DONE);

        a.awaitMembers(2);
        assertThat(a.snapshot().owned(Samples.runtimeId("a"), a.session())).contains(a.member);
    }

    @Test
    default void requestsTakeEffectInTheOrderOfTheCalls() {
        Witness a = joined("a");
        Witness b = open("b");
        for (int i = 0; i < REPEATED; i++) {
            a.send(new Request.Update(a.member.node(), a.record(Map.of("p", String.valueOf(i)))));
        }
        await(a::isCompleted);

        String last = String.valueOf(REPEATED - 1);
        b.awaitSnapshot(seen -> seen.members().stream()
                .anyMatch(member -> last.equals(member.record().properties().get("p"))));
    }

    /** A session timeout is waited for, so a store bounds those that it shows. */
    @Test
    default void aRecordWithASessionTimeoutOfMoreThanADayCannotBeRead() {
        Witness a = joined("a");
        Witness b = open("b");
        int day = (int) TimeUnit.DAYS.toMillis(1);
        a.perform(new Request.Update(a.member.node(), a.record(Map.of()).withSessionTimeout(day)));
        b.awaitSnapshot(seen -> seen.longestSessionTimeoutMillis() == day);
        a.perform(new Request.Update(a.member.node(), a.record(Map.of()).withSessionTimeout(day + 1)));

        b.awaitSnapshot(seen -> seen.members().isEmpty() && seen.unreadable().size() == 1);
    }

    // Acknowledgements

    @Test
    default void acknowledgementsAreShownToCollectorsOnly() {
        Witness a = joined("a");
        Witness b = joined("b");
        a.store().collect(true);
        a.awaitSnapshot(seen -> seen.acknowledgements().equals(Optional.of(Set.of())));
        Acknowledgement ofB = b.acknowledge(5);
        Acknowledgement ofA = a.acknowledge(5);

        a.awaitAcknowledgements(ofA, ofB);
        b.perform(new Request.Probe());
        assertThat(b.calls(Observed.class))
                .allSatisfy(
                        each -> assertThat(each.snapshot().acknowledgements()).isEmpty());
    }

    @Test
    default void acknowledgementsThatWereThereBeforeAreCollected() {
        Witness a = open("a");
        Witness b = joined("b");
        Acknowledgement ofB = b.acknowledge(5);
        a.store().collect(true);

        a.awaitAcknowledgements(ofB);
    }

    @Test
    default void aMembersNextAcknowledgementReplacesItsLast() {
        Witness a = joined("a");
        a.store().collect(true);
        a.acknowledge(5);
        a.acknowledge(6);
        a.acknowledge(6);

        a.awaitAcknowledgements(new Acknowledgement(a.member.node(), 6));
    }

    @Test
    default void anAcknowledgementEndsWithItsSessionAndNotWithTheMemberThatAnotherOneRemoves() {
        Witness a = joined("a");
        Witness b = joined("b");
        a.store().collect(true);
        Acknowledgement ofB = b.acknowledge(5);
        a.ask(
                new Request.Delete(new LeaveRecord(b.member.node(), LeaveRecord.Kind.EVICTED, a.member.node(), 0)),
                Status.DONE);
        a.awaitMembers(1);
        a.awaitAcknowledgements(ofB);

        b.close();
        a.awaitAcknowledgements();
    }

    @Test
    default void anInstanceThatStopsCollectingSeesNoAcknowledgements() {
        Witness a = open("a");
        Witness b = joined("b");
        a.store().collect(true);
        a.awaitSnapshot(seen -> seen.acknowledgements().isPresent());
        a.store().collect(false);
        b.acknowledge(5);
        a.join();

        a.awaitSnapshot(
                seen -> seen.members().size() == 2 && seen.acknowledgements().isEmpty());
    }

    private static List<Long> sessions(List<Witness> peers) {
        return peers.stream().map(Witness::session).toList();
    }
}
