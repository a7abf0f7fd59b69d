// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.Departure;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Farewell;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.HistoryReading;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.Inquiry;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.ProcessInfo;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.commons.report.Secrets;
import org.apache.sling.discovery.commons.report.StoreTree;
import org.apache.sling.discovery.commons.spi.ClusterStore;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.StoreObserver;
import org.apache.sling.discovery.commons.testing.RecordingObserver.Connected;
import org.apache.sling.discovery.commons.testing.RecordingObserver.Expired;
import org.apache.sling.discovery.commons.testing.RecordingObserver.Observed;
import org.apache.sling.discovery.commons.testing.RecordingObserver.Replied;
import org.apache.sling.discovery.commons.testing.RecordingObserver.Suspended;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What the settling protocol relies on in a back end, as tests. Each back end, the one in memory included, extends this class;
 * each test begins with an empty cluster. Requires JUnit Jupiter and AssertJ.
 */
public abstract class ClusterStoreContract {

    private static final int REPEATED = 20;
    private static final int MORE_THAN_KEPT = 550;

    private final List<Peer> peers = new ArrayList<>();

    /** Returns a new, unopened store of the one cluster of this test. The contract closes it. */
    protected abstract ClusterStore newStore();

    /** Returns when the condition holds; fails when it does not within a generous time. */
    protected abstract void await(BooleanSupplier condition);

    /** Has the store's servers end the session of this store, whose connection stands. */
    protected abstract void expire(ClusterStore store);

    /** Cuts the connection of this store off until {@link #restore}, so that the store notices. */
    protected abstract void interrupt(ClusterStore store);

    /** Lets the store connect again; the session has not ended yet. */
    protected abstract void restore(ClusterStore store);

    /** Returns how many history entries are stored; empty where that cannot be told. */
    protected OptionalInt historySize() {
        return OptionalInt.empty();
    }

    /** Overwrites the stored view with something that cannot be read; returns false where that cannot be done. */
    protected boolean spoilView() {
        return false;
    }

    /** Overwrites a history entry with something that cannot be read; returns what the problem must name, empty where not possible. */
    protected Optional<String> spoilHistory(long number) {
        return Optional.empty();
    }

    /** Returns what is in the paths of all nodes of the cluster of this test, and of no others that the store shows. */
    protected String clusterPath() {
        return "";
    }

    /** Removes everything stored for the cluster, while no store is open; returns false where that cannot be done. */
    protected boolean deleteEverything() {
        return false;
    }

    /** What must hold whatever a test did: lawful calls, and one reply to each request. */
    @AfterEach
    public final void assertLawfulAndClose() {
        try {
            for (Peer peer : peers) {
                if (!peer.closed && !peer.unreachable) {
                    await(peer::isAnswered);
                }
                peer.observer.assertLawful();
                peer.assertAnsweredOnce();
            }
        } finally {
            peers.forEach(Peer::close);
        }
    }

    // Connecting

    @Test
    public void connectsAndThenShowsTheCluster() {
        Peer a = open("a");

        assertThat(a.observer.all(Connected.class)).hasSize(1);
        assertThat(a.observer.last(Connected.class).orElseThrow().timeoutMillis())
                .isPositive();
        assertThat(a.session()).isNotZero();
        assertThat(a.snapshot().members()).isEmpty();
        assertThat(a.snapshot().view()).isEmpty();
        assertThat(a.snapshot().acknowledgements()).isEmpty();
        assertThat(a.snapshot().problems()).isEmpty();
    }

    @Test
    public void clusterIdIsTheSameForAllAndStays() {
        Peer a = open("a");
        Peer b = open("b");
        a.close();
        b.close();
        Peer c = open("c");

        assertThat(a.snapshot().clusterId())
                .isEqualTo(b.snapshot().clusterId())
                .isEqualTo(c.snapshot().clusterId())
                .isNotEmpty();
        assertThat(a.session()).isNotEqualTo(b.session());
    }

    @Test
    public void isOpenedOnce() {
        Peer a = open("a");
        StoreObserver another = new RecordingObserver();

        assertThatIllegalStateException().isThrownBy(() -> a.store.open(another));
        a.close();
        assertThatIllegalStateException().isThrownBy(() -> a.store.open(another));
    }

    @Test
    public void mayBeAskedFromWithinACall() {
        Peer a = new Peer("a", newStore());
        a.observer.react(call -> {
            if (call instanceof Observed && a.observer.all(Observed.class).size() == 1) {
                a.ask(new Request.Create(record("a")));
                a.store.collect(true);
            }
        });
        a.open();

        a.awaitSnapshot(
                seen -> seen.members().size() == 1 && seen.acknowledgements().isPresent());
    }

    // Members

    @Test
    public void storesSeeEachOthersMembersBySeniority() {
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
    public void recordsAreShownAsTheyWereWritten() {
        Peer a = open("a");
        Peer b = open("b");
        MemberRecord created = new MemberRecord(
                "a",
                new ProcessInfo("runtime-ä", "höst", 4711, "/home/of a", 1_234_567_890_123L),
                9_000,
                OptionalLong.of(12),
                Optional.of("listener \"x\""),
                Map.of("p", "", "q.r-s_t", "Grüße, 世界\n"));
        a.ask(new Request.Create(created), Status.DONE);
        b.awaitSnapshot(seen -> seen.members().size() == 1);
        assertThat(b.snapshot().members().get(0).record()).isEqualTo(created);

        MemberRecord updated = record("a");
        a.awaitSnapshot(seen -> seen.members().size() == 1);
        a.ask(new Request.Update(a.snapshot().members().get(0).node(), updated), Status.DONE);
        b.awaitSnapshot(seen -> seen.members().get(0).record().equals(updated));
    }

    @Test
    public void updateKeepsNodeSeniorityAndSession() {
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
    public void updateOfAMissingNodeIsRefused() {
        Peer a = open("a");
        Member own = a.join();
        a.ask(new Request.Delete(Farewell.own(own.node(), Farewell.Kind.STOPPED)), Status.DONE);
        a.ask(new Request.Update(own.node(), record("a")), Status.OVERTAKEN);

        a.awaitSnapshot(seen -> seen.members().isEmpty());
    }

    @Test
    public void deleteIsDoneAlsoWhenNothingIsThere() {
        Peer a = open("a");
        Peer b = open("b");
        Member own = a.join();
        b.awaitSnapshot(seen -> seen.members().size() == 1);
        a.ask(new Request.Delete(Farewell.own(own.node(), Farewell.Kind.STOPPED)), Status.DONE);
        a.ask(new Request.Delete(Farewell.own(own.node(), Farewell.Kind.STOPPED)), Status.DONE);

        b.awaitSnapshot(seen -> seen.members().isEmpty());
    }

    @Test
    public void eachCreateMakesAnotherNode() {
        Peer a = open("a");
        Member first = a.join();
        a.ask(new Request.Create(record("a")), Status.DONE);

        a.awaitSnapshot(seen -> seen.members().size() == 2);
        assertThat(a.snapshot().owned("run-a", a.session())).contains(first);
    }

    @Test
    public void requestsTakeEffectInTheOrderOfTheCalls() {
        Peer a = open("a");
        Peer b = open("b");
        Member own = a.join();
        for (int i = 0; i < REPEATED; i++) {
            a.ask(new Request.Update(own.node(), withProperties(own.record(), Map.of("p", String.valueOf(i)))));
        }
        await(a::isAnswered);

        String last = String.valueOf(REPEATED - 1);
        b.awaitSnapshot(seen -> seen.members().stream()
                .anyMatch(member -> last.equals(member.record().properties().get("p"))));
    }

    // Acknowledgements

    @Test
    public void acknowledgementsAreShownToCollectorsOnly() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        a.store.collect(true);
        a.awaitSnapshot(seen -> seen.acknowledgements().equals(Optional.of(Set.of())));
        b.ask(new Request.Acknowledge(ofB.node(), 5), Status.DONE);
        a.ask(new Request.Acknowledge(ofA.node(), 5), Status.DONE);

        a.awaitAcknowledgements(new Acknowledgement(ofA.node(), 5), new Acknowledgement(ofB.node(), 5));
        b.ask(new Request.Confirm(), Status.DONE);
        assertThat(b.observer.all(Observed.class))
                .allSatisfy(
                        each -> assertThat(each.snapshot().acknowledgements()).isEmpty());
    }

    @Test
    public void acknowledgementsThatWereThereBeforeAreCollected() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofB = b.join();
        b.ask(new Request.Acknowledge(ofB.node(), 5), Status.DONE);
        a.store.collect(true);

        a.awaitAcknowledgements(new Acknowledgement(ofB.node(), 5));
    }

    @Test
    public void aMembersNextAcknowledgementReplacesItsLast() {
        Peer a = open("a");
        Member own = a.join();
        a.store.collect(true);
        a.ask(new Request.Acknowledge(own.node(), 5), Status.DONE);
        a.ask(new Request.Acknowledge(own.node(), 6), Status.DONE);
        a.ask(new Request.Acknowledge(own.node(), 6), Status.DONE);

        a.awaitAcknowledgements(new Acknowledgement(own.node(), 6));
    }

    @Test
    public void whoCollectsNoMoreIsShownNone() {
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

    // Views

    @Test
    public void publicationIsShownToAllWithVersionAndStampRaised() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        b.join();
        ViewSlot before = a.snapshot().slot();
        EstablishedView next = a.publish(ofA, before, Status.DONE);

        for (Peer peer : List.of(a, b)) {
            peer.awaitSnapshot(seen -> seen.view().isPresent());
            ViewSlot after = peer.snapshot().slot();
            assertThat(after.view()).contains(next);
            assertThat(after.version()).isNotEqualTo(before.version());
            assertThat(after.stamp()).isGreaterThan(before.stamp()).isGreaterThanOrEqualTo(next.number());
            assertThat(after.nextNumber()).isEqualTo(next.number() + 1);
        }
    }

    @Test
    public void publicationOverAnotherVersionIsRefused() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        ViewSlot stale = b.snapshot().slot();
        EstablishedView winner = a.publish(ofA, stale, Status.DONE);
        b.publish(ofB, stale, Status.OVERTAKEN);

        a.ask(new Request.Confirm(), Status.DONE);
        assertThat(a.snapshot().view()).contains(winner);
    }

    @Test
    public void publicationWithoutTheMemberNodeIsRefused() {
        Peer a = open("a");
        Member own = a.join();
        ViewSlot before = a.snapshot().slot();
        a.ask(new Request.Delete(Farewell.own(own.node(), Farewell.Kind.STOPPED)), Status.DONE);
        a.publish(own, before, Status.OVERTAKEN);

        a.ask(new Request.Confirm(), Status.DONE);
        assertThat(a.snapshot().slot()).isEqualTo(before);
        historySize().ifPresent(size -> assertThat(size).isZero());
    }

    @Test
    public void oneOfManyRivalsPublishes() {
        List<Peer> rivals = List.of(open("a"), open("b"), open("c"));
        rivals.forEach(Peer::join);
        rivals.forEach(peer -> peer.awaitSnapshot(seen -> seen.members().size() == 3));
        ViewSlot slot = rivals.get(0).snapshot().slot();
        List<Request> asked = rivals.stream()
                .map(peer -> peer.ask(publication(peer.own(), slot)))
                .toList();
        rivals.forEach(peer -> await(peer::isAnswered));

        List<Status> outcomes = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            outcomes.add(rivals.get(i).statusOf(asked.get(i)));
        }
        assertThat(outcomes).containsExactlyInAnyOrder(Status.DONE, Status.OVERTAKEN, Status.OVERTAKEN);
        EstablishedView winner = ((Request.Publish) asked.get(outcomes.indexOf(Status.DONE))).next();
        rivals.forEach(peer -> peer.awaitSnapshot(seen -> seen.view().equals(Optional.of(winner))));
    }

    @Test
    public void eachPublicationHasItsHistoryEntryUpToABound() {
        assumeTrue(historySize().isPresent(), "this back end cannot count history entries");
        Peer a = open("a");
        Member own = a.join();
        a.publishNext(own);
        assertThat(historySize()).hasValue(1);
        a.publishNext(own);
        assertThat(historySize()).hasValue(2);

        int largest = 0;
        for (int i = 0; i < MORE_THAN_KEPT; i++) {
            a.publishNext(own);
            largest = Math.max(largest, historySize().getAsInt());
        }
        assertThat(largest).isLessThan(MORE_THAN_KEPT);
        assertThat(historySize()).hasValue(largest);
    }

    @Test
    public void numbersGrowThoughTheViewCannotBeRead() {
        Peer a = open("a");
        Member own = a.join();
        a.publishNext(own);
        EstablishedView last = a.publishNext(own);
        assumeTrue(spoilView(), "this back end cannot spoil a view");

        a.awaitSnapshot(seen -> seen.view().isEmpty());
        assertThat(a.snapshot().problems()).isNotEmpty();
        assertThat(a.snapshot().slot().nextNumber()).isGreaterThan(last.number());
        assertThat(a.publishNext(own).number()).isGreaterThan(last.number());
        assertThat(a.snapshot().problems()).isEmpty();
    }

    @Test
    public void numbersGrowThoughEverythingWasDeleted() {
        Peer a = open("a");
        Member own = a.join();
        a.publishNext(own);
        EstablishedView last = a.publishNext(own);
        a.close();
        assumeTrue(deleteEverything(), "this back end cannot delete everything");

        Peer b = open("b");
        assertThat(b.snapshot().view()).isEmpty();
        assertThat(b.publishNext(b.join()).number()).isGreaterThan(last.number());
    }

    @Test
    public void theViewOutlivesItsMembers() {
        Peer a = open("a");
        EstablishedView last = a.publishNext(a.join());
        a.close();

        Peer b = open("b");
        assertThat(b.snapshot().view()).contains(last);
    }

    // The order that leases and acknowledgements rest on

    @Test
    public void aChangeIsObservedBeforeALaterConfirmationIsReplied() {
        Peer a = open("a");
        Peer b = open("b");
        a.join();
        Member ofB = b.join();
        for (int i = 0; i < REPEATED; i++) {
            MemberRecord record = withProperties(ofB.record(), Map.of("p", String.valueOf(i)));
            b.ask(new Request.Update(ofB.node(), record), Status.DONE);
            a.ask(new Request.Confirm(), Status.DONE);
            a.assertObservedBeforeLastReply(seen ->
                    seen.members().stream().anyMatch(member -> member.record().equals(record)));
        }
        b.ask(new Request.Delete(Farewell.own(ofB.node(), Farewell.Kind.STOPPED)), Status.DONE);
        a.ask(new Request.Confirm(), Status.DONE);
        a.assertObservedBeforeLastReply(seen -> seen.members().size() == 1);
    }

    @Test
    public void aViewIsObservedBeforeALaterConfirmationIsReplied() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofB = b.join();
        for (int i = 0; i < REPEATED; i++) {
            EstablishedView next = b.publish(ofB, b.snapshot().slot(), Status.DONE);
            a.ask(new Request.Confirm(), Status.DONE);
            a.assertObservedBeforeLastReply(seen -> seen.view().equals(Optional.of(next)));
            b.awaitSnapshot(seen -> seen.view().equals(Optional.of(next)));
        }
    }

    @Test
    public void anAcknowledgementIsObservedBeforeALaterConfirmationIsReplied() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofB = b.join();
        a.store.collect(true);
        a.awaitSnapshot(seen -> seen.acknowledgements().isPresent());
        for (int i = 0; i < REPEATED; i++) {
            Acknowledgement next = new Acknowledgement(ofB.node(), i);
            b.ask(new Request.Acknowledge(ofB.node(), i), Status.DONE);
            a.ask(new Request.Confirm(), Status.DONE);
            a.assertObservedBeforeLastReply(
                    seen -> seen.acknowledgements().orElse(Set.of()).contains(next));
        }
    }

    @Test
    public void anOwnWriteIsObservedBeforeItIsReplied() {
        Peer a = open("a");
        Member own = a.join();
        for (int i = 0; i < REPEATED; i++) {
            MemberRecord record = withProperties(own.record(), Map.of("p", String.valueOf(i)));
            a.ask(new Request.Update(own.node(), record), Status.DONE);
            a.ask(new Request.Confirm(), Status.DONE);
            a.assertObservedBeforeLastReply(
                    seen -> seen.members().get(0).record().equals(record));
        }
    }

    @Test
    public void confirmationsAndInquiriesNeedNoMemberNode() {
        Peer a = open("a");

        a.ask(new Request.Confirm(), Status.DONE);
        a.ask(new Request.Inquire(), Status.DONE);
    }

    // Leases and farewells

    @Test
    public void renewalIsDoneOnlyWhileTheNodeIsThereAndTheSlotHasThatVersion() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        int before = a.snapshot().slot().version();
        a.ask(new Request.Renew(ofA.node(), before), Status.DONE);
        b.publishNext(ofB);
        a.ask(new Request.Confirm(), Status.DONE);
        a.ask(new Request.Renew(ofA.node(), before), Status.OVERTAKEN);
        int after = a.snapshot().slot().version();
        a.ask(new Request.Renew(ofA.node(), after), Status.DONE);
        a.ask(leaving(ofA, Farewell.Kind.STOPPED), Status.DONE);
        a.ask(new Request.Renew(ofA.node(), after), Status.OVERTAKEN);
    }

    @Test
    public void renewalsOfALeaseRaiseTheirNumberAndNothingElseDoes() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        long start = b.inquire().renewals();
        a.ask(new Request.Renew(ofA.node(), a.snapshot().slot().version()), Status.DONE);
        long renewed = b.inquire().renewals();
        assertThat(renewed).isGreaterThan(start);
        a.ask(publication(ofA, a.snapshot().slot()), Status.DONE);
        long published = b.inquire().renewals();
        assertThat(published).isGreaterThan(renewed);

        a.awaitSnapshot(seen -> seen.view().isPresent());
        a.ask(new Request.Renew(ofA.node(), a.snapshot().slot().version() + 1), Status.OVERTAKEN);
        a.ask(new Request.Update(ofA.node(), withProperties(ofA.record(), Map.of("p", "1"))), Status.DONE);
        a.ask(new Request.Acknowledge(ofA.node(), 5), Status.DONE);
        a.ask(new Request.Confirm(), Status.DONE);
        a.ask(new Request.Inquire(), Status.DONE);
        b.awaitSnapshot(seen -> seen.view().isPresent());
        b.ask(publication(ofA, ofB.node(), b.snapshot().slot(), Set.of()), Status.DONE);
        b.ask(leaving(ofB, Farewell.Kind.STOPPED), Status.DONE);
        assertThat(b.inquire().renewals()).isEqualTo(published);
    }

    @Test
    public void farewellOfAMemberOfTheViewIsShownUntilItIsHeard() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        a.publishNext(ofA);
        b.awaitSnapshot(seen -> seen.view().isPresent());
        Farewell farewell = new Farewell(ofA.node(), Farewell.Kind.EVICTED, ofB.node());
        assertThat(b.inquire().farewells()).isEmpty();
        b.ask(new Request.Delete(farewell), Status.DONE);

        assertThat(b.inquire().farewells()).containsExactly(farewell);
        assertThat(a.inquire().of(ofA.node())).contains(farewell);
        EstablishedView next = b.publishNext(ofB);
        assertThat(b.inquire().farewells()).containsExactly(farewell);
        Request.Publish hearing = publication(ofB, ofB.node(), b.snapshot().slot(), Set.of(farewell));
        b.ask(hearing, Status.DONE);
        assertThat(hearing.next().number()).isGreaterThan(next.number());
        assertThat(b.inquire().farewells()).isEmpty();
    }

    @Test
    public void whoIsNotInTheViewLeavesNoFarewell() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        a.publishNext(ofA);
        b.awaitSnapshot(seen -> seen.view().isPresent());
        b.ask(leaving(ofB, Farewell.Kind.STOPPED), Status.DONE);

        assertThat(b.inquire().farewells()).isEmpty();
    }

    @Test
    public void aNodeIsDeletedOnceAndLeavesOneFarewell() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        a.publishNext(ofA);
        b.awaitSnapshot(seen -> seen.view().isPresent());
        a.ask(leaving(ofA, Farewell.Kind.STOOD_DOWN), Status.DONE);
        a.ask(leaving(ofA, Farewell.Kind.STOPPED), Status.DONE);
        b.ask(new Request.Delete(new Farewell(ofA.node(), Farewell.Kind.EVICTED, ofB.node())), Status.DONE);

        assertThat(b.inquire().farewells()).containsExactly(Farewell.own(ofA.node(), Farewell.Kind.STOOD_DOWN));
    }

    @Test
    public void anEndedSessionLeavesNoFarewell() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        a.publishNext(ofA);
        expire(a.store);
        b.awaitSnapshot(seen -> seen.members().isEmpty());

        assertThat(b.inquire().farewells()).isEmpty();
    }

    @Test
    public void farewellsThatAreGoneAlreadyAreNoObstacleToAPublication() {
        Peer a = open("a");
        Member own = a.join();
        Farewell unknown = Farewell.own("m-0123456789abcdef-0000000001", Farewell.Kind.DIED);
        Request.Publish publication = publication(own, own.node(), a.snapshot().slot(), Set.of(unknown));
        a.ask(publication, Status.DONE);

        a.awaitSnapshot(seen -> seen.view().equals(Optional.of(publication.next())));
    }

    @Test
    public void anInquiryIsShownBeforeItIsReplied() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        assertThat(a.snapshot().inquiry()).isEmpty();
        for (int i = 0; i < REPEATED; i++) {
            MemberRecord record = withProperties(ofB.record(), Map.of("p", String.valueOf(i)));
            b.ask(new Request.Update(ofB.node(), record), Status.DONE);
            long before = a.inquire().renewals();
            a.ask(new Request.Renew(ofA.node(), a.snapshot().slot().version()), Status.DONE);
            a.ask(new Request.Inquire(), Status.DONE);
            a.assertObservedBeforeLastReply(seen -> seen.inquiry().orElseThrow().renewals() > before
                    && seen.members().stream()
                            .anyMatch(member -> member.record().equals(record)));
        }
    }

    @Test
    public void anInquiryIsForgottenWithTheConnection() {
        Peer a = open("a");
        a.inquire();
        a.interrupt();
        a.restore();

        assertThat(a.firstAfterLastConnected().inquiry()).isEmpty();
    }

    // Connections and sessions

    @Test
    public void requestsWithoutAConnectionHaveUnknownOutcome() {
        Peer a = open("a");
        a.interrupt();

        a.ask(new Request.Confirm(), Status.UNKNOWN);
        a.ask(new Request.Create(record("a")), Status.UNKNOWN);
        a.restore();
        a.ask(new Request.Confirm(), Status.DONE);
    }

    @Test
    public void requestsUnderWayWhenTheConnectionBreaksAreRepliedOnce() {
        Peer a = open("a");
        for (int i = 0; i < REPEATED; i++) {
            a.ask(new Request.Confirm());
        }
        interrupt(a.store);
        for (int i = 0; i < REPEATED; i++) {
            a.ask(new Request.Confirm());
        }

        await(a::isAnswered);
        restore(a.store);
        await(() -> a.observer.all(Connected.class).size() > 1);
    }

    @Test
    public void theSessionOutlivesAnInterruption() {
        Peer a = open("a");
        Peer b = open("b");
        Member own = a.join();
        long session = a.session();
        a.interrupt();
        Member ofB = b.join();
        b.publishNext(ofB);
        a.restore();

        assertThat(a.session()).isEqualTo(session);
        assertThat(a.observer.all(Expired.class)).isEmpty();
        StoreSnapshot fresh = a.firstAfterLastConnected();
        assertThat(fresh.members()).containsExactly(own, ofB);
        assertThat(fresh.view()).isPresent();
    }

    @Test
    public void collectingOutlivesAnInterruption() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofB = b.join();
        a.store.collect(true);
        a.awaitSnapshot(seen -> seen.acknowledgements().isPresent());
        a.interrupt();
        b.ask(new Request.Acknowledge(ofB.node(), 5), Status.DONE);
        a.restore();

        a.awaitAcknowledgements(new Acknowledgement(ofB.node(), 5));
    }

    @Test
    public void changesAreShownAfterAnInterruptionToo() {
        Peer a = open("a");
        Peer b = open("b");
        a.interrupt();
        a.restore();
        Member ofB = b.join();

        a.awaitSnapshot(seen -> seen.members().equals(List.of(ofB)));
    }

    @Test
    public void anEndedSessionTakesAllItOwnedAndIsReplaced() {
        Peer a = open("a");
        Peer b = open("b");
        Member own = a.join();
        b.store.collect(true);
        a.ask(new Request.Acknowledge(own.node(), 5), Status.DONE);
        b.awaitAcknowledgements(new Acknowledgement(own.node(), 5));
        long session = a.session();
        expire(a.store);

        await(() -> a.observer.all(Connected.class).size() > 1);
        await(a::hasFreshSnapshot);
        assertThat(a.session()).isNotEqualTo(session);
        List<RecordingObserver.Call> calls = a.observer.calls();
        assertThat(calls.indexOf(new Expired()))
                .isPositive()
                .isLessThan(calls.indexOf(a.observer.last(Connected.class).orElseThrow()));
        assertThat(a.firstAfterLastConnected().members()).isEmpty();
        b.awaitSnapshot(
                seen -> seen.members().isEmpty() && seen.acknowledgements().equals(Optional.of(Set.of())));
        assertThat(a.join().session()).isEqualTo(a.session());
    }

    @Test
    public void closingTakesAllItOwnedAtOnce() {
        Peer a = open("a");
        Peer b = open("b");
        Member own = a.join();
        b.store.collect(true);
        a.ask(new Request.Acknowledge(own.node(), 5), Status.DONE);
        b.awaitAcknowledgements(new Acknowledgement(own.node(), 5));
        a.close();

        b.awaitSnapshot(
                seen -> seen.members().isEmpty() && seen.acknowledgements().equals(Optional.of(Set.of())));
    }

    @Test
    public void nothingIsToldAfterClosing() {
        Peer a = open("a");
        Peer b = open("b");
        a.join();
        a.ask(new Request.Confirm());
        a.close();
        int told = a.observer.calls().size();
        a.store.request(new Request.Confirm());
        a.store.collect(true);
        b.publishNext(b.join());
        b.awaitSnapshot(seen -> seen.members().size() == 1);
        b.ask(new Request.Confirm(), Status.DONE);

        assertThat(a.observer.calls()).hasSize(told);
    }

    @Test
    public void closesTwiceAndUnopenedAndUnconnected() {
        Peer a = open("a");
        a.close();
        a.store.close();
        newStore().close();
        Peer b = open("b");
        b.interrupt();
        b.close();
        b.store.close();
    }

    // Reading for people

    @Test
    public void historyIsReadAsItWasPublished() {
        Peer a = open("a");
        Member own = a.join();
        List<Request.Publish> published = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Request.Publish next = publication(own, a.snapshot().slot());
            a.ask(next, Status.DONE);
            a.awaitSnapshot(seen -> seen.view().equals(Optional.of(next.next())));
            published.add(next);
        }
        List<Long> numbers =
                published.stream().map(each -> each.next().number()).toList();

        HistoryReading all = read(a.store.readHistory(Set.of()));
        assertThat(all.entries())
                .containsExactlyInAnyOrderElementsOf(
                        published.stream().map(Request.Publish::entry).toList());
        assertThat(all.numbers()).containsExactlyInAnyOrderElementsOf(numbers);
        assertThat(all.problems()).isEmpty();

        HistoryReading unknown = read(a.store.readHistory(Set.copyOf(numbers.subList(0, 2))));
        assertThat(unknown.entries()).containsExactly(published.get(2).entry());
        assertThat(unknown.numbers()).containsExactlyInAnyOrderElementsOf(numbers);
    }

    @Test
    public void emptyHistoryIsReadToo() {
        HistoryReading none = read(open("a").store.readHistory(Set.of(7L)));

        assertThat(none).isEqualTo(new HistoryReading(Set.of(), List.of(), List.of()));
    }

    @Test
    public void historyEntryThatCannotBeReadIsNamedAndHidesNoOthers() {
        Peer a = open("a");
        Member own = a.join();
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            numbers.add(a.publishNext(own).number());
        }
        Optional<String> spoilt = spoilHistory(numbers.get(1));
        assumeTrue(spoilt.isPresent(), "this back end cannot spoil a history entry");

        HistoryReading read = read(a.store.readHistory(Set.of()));
        assertThat(read.problems()).singleElement().asString().contains(spoilt.get());
        assertThat(read.entries())
                .extracting(entry -> entry.view().number())
                .containsExactlyInAnyOrder(numbers.get(0), numbers.get(2));
        assertThat(read.numbers()).containsAll(numbers);
    }

    @Test
    public void aWholeHistoryIsRead() {
        assumeTrue(historySize().isPresent(), "this back end cannot count history entries");
        Peer a = open("a");
        Member own = a.join();
        EstablishedView last = null;
        for (int i = 0; i < 60; i++) {
            last = a.publishNext(own);
        }
        HistoryReading read = read(a.store.readHistory(Set.of()));

        assertThat(read.entries())
                .hasSize(historySize().getAsInt())
                .extracting(HistoryEntry::view)
                .contains(last);
    }

    @Test
    public void withoutAConnectionNothingIsRead() {
        Peer a = open("a");
        a.interrupt();
        assertUnread(a.store.readHistory(Set.of()));
        assertUnread(a.store.readTree());

        a.restore();
        assertThat(read(a.store.readHistory(Set.of())).entries()).isEmpty();
        a.close();
        assertUnread(a.store.readHistory(Set.of()));
        assertUnread(a.store.readTree());
    }

    @Test
    public void eachReadingEndsThoughTheStoreIsClosed() {
        Peer a = open("a");
        a.join();
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < REPEATED; i++) {
            all.add(a.store.readHistory(Set.of()).toCompletableFuture());
            all.add(a.store.readTree().toCompletableFuture());
        }
        a.close();

        await(() -> all.stream().allMatch(CompletableFuture::isDone));
    }

    @Test
    public void treeShowsWhatIsThereWithoutSecrets() {
        Peer a = open("a");
        a.ask(
                new Request.Create(withProperties(record("a"), Map.of("db.password", "open sesame", "color", "red"))),
                Status.DONE);
        a.awaitSnapshot(seen -> !seen.members().isEmpty());
        EstablishedView view = a.publishNext(a.own());
        StoreTree all = read(a.store.readTree());
        StoreTree tree = new StoreTree(
                0,
                all.nodes().stream()
                        .filter(node -> node.path().contains(clusterPath()))
                        .toList(),
                all.complete());

        assertThat(tree.complete()).isTrue();
        assertThat(tree.nodes()).extracting(StoreTree.Node::problem).containsOnly(Optional.empty());
        StoreTree.Node member = only(tree, "member");
        assertThat(member.path()).endsWith(a.own().node());
        assertThat(member.owner()).contains("0x" + Long.toHexString(a.session()));
        assertThat(member.record())
                .contains(
                        new StoreTree.Field("instanceId", "a"),
                        new StoreTree.Field("properties.color", "red"),
                        new StoreTree.Field("properties.db.password", Secrets.MASK));
        assertThat(only(tree, "view").owner()).isEmpty();
        assertThat(only(tree, "view").record()).contains(new StoreTree.Field("number", "" + view.number()));
        assertThat(only(tree, "history entry").path()).contains("" + view.number());
        assertThat(tree.toString()).doesNotContain("open sesame");
    }

    private static StoreTree.Node only(StoreTree tree, String kind) {
        List<StoreTree.Node> all =
                tree.nodes().stream().filter(node -> node.kind().equals(kind)).toList();
        assertThat(all).as("%s in %s", kind, tree).hasSize(1);
        return all.get(0);
    }

    private <T> T read(CompletionStage<T> reading) {
        CompletableFuture<T> future = reading.toCompletableFuture();
        await(future::isDone);
        return future.join();
    }

    private void assertUnread(CompletionStage<?> reading) {
        CompletableFuture<?> future = reading.toCompletableFuture();
        await(future::isDone);
        assertThatThrownBy(future::get).cause().hasMessageContaining("connect");
    }

    private Peer open(String id) {
        Peer peer = new Peer(id, newStore());
        peer.open();
        return peer;
    }

    private static List<Long> sessions(List<Peer> peers) {
        return peers.stream().map(Peer::session).toList();
    }

    private static MemberRecord record(String id) {
        ProcessInfo process = new ProcessInfo("run-" + id, "host", 1, "/home", 0);
        return MemberRecord.of(id, process, Map.of("name", id));
    }

    private static MemberRecord withProperties(MemberRecord record, Map<String, String> properties) {
        return new MemberRecord(
                record.instanceId(),
                record.process(),
                record.sessionTimeoutMillis(),
                record.abandoned(),
                record.waitingFor(),
                properties);
    }

    private static Request.Delete leaving(Member member, Farewell.Kind kind) {
        return new Request.Delete(Farewell.own(member.node(), kind));
    }

    private static Request.Publish publication(Member leader, ViewSlot slot) {
        return publication(leader, leader.node(), slot, Set.of());
    }

    private static Request.Publish publication(Member leader, String publisher, ViewSlot slot, Set<Farewell> heard) {
        long number = slot.nextNumber();
        Incarnation member = leader.incarnation();
        EstablishedView next = new EstablishedView(
                number,
                slot.view().map(EstablishedView::number).orElse(0L),
                number,
                9_000,
                1_000,
                List.of(member),
                Set.of("m-left-out"),
                "because of \"this\"",
                leader.instanceId());
        HistoryEntry entry = new HistoryEntry(
                next,
                List.of(member),
                List.of(new Departure(member, Optional.of(Farewell.Kind.STOPPED), Optional.empty())),
                List.of("x (listener y)"),
                1,
                2);
        return new Request.Publish(next, slot.version(), publisher, entry, heard);
    }

    /** One store with what it told. */
    private final class Peer {

        private final String id;
        private final ClusterStore store;
        private final RecordingObserver observer = new RecordingObserver();
        private final List<Request> asked = new CopyOnWriteArrayList<>();
        private boolean unreachable;
        private boolean closed;

        Peer(String id, ClusterStore store) {
            this.id = id;
            this.store = store;
            peers.add(this);
        }

        void open() {
            store.open(observer);
            await(this::hasFreshSnapshot);
        }

        void close() {
            closed = true;
            store.close();
        }

        void interrupt() {
            int before = observer.all(Suspended.class).size();
            unreachable = true;
            ClusterStoreContract.this.interrupt(store);
            await(() -> observer.all(Suspended.class).size() > before);
        }

        void restore() {
            int before = observer.all(Connected.class).size();
            ClusterStoreContract.this.restore(store);
            await(() -> observer.all(Connected.class).size() > before);
            await(this::hasFreshSnapshot);
            unreachable = false;
        }

        long session() {
            return observer.last(Connected.class).orElseThrow().session();
        }

        StoreSnapshot snapshot() {
            return observer.last(Observed.class).orElseThrow().snapshot();
        }

        boolean hasFreshSnapshot() {
            return observer.last(Connected.class)
                    .filter(connected -> observer.calls().lastIndexOf(connected) < lastObserved())
                    .isPresent();
        }

        private int lastObserved() {
            return observer.last(Observed.class)
                    .map(observed -> observer.calls().lastIndexOf(observed))
                    .orElse(-1);
        }

        StoreSnapshot firstAfterLastConnected() {
            List<RecordingObserver.Call> calls = observer.calls();
            int connected = calls.lastIndexOf(observer.last(Connected.class).orElseThrow());
            return calls.subList(connected, calls.size()).stream()
                    .filter(Observed.class::isInstance)
                    .map(call -> ((Observed) call).snapshot())
                    .findFirst()
                    .orElseThrow();
        }

        void awaitSnapshot(Predicate<StoreSnapshot> condition) {
            await(() -> condition.test(snapshot()));
        }

        void awaitAcknowledgements(Acknowledgement... all) {
            awaitSnapshot(seen -> seen.acknowledgements().equals(Optional.of(Set.of(all))));
        }

        Request ask(Request request) {
            asked.add(request);
            store.request(request);
            return request;
        }

        void ask(Request request, Status expected) {
            int before = replies(request).size();
            ask(request);
            await(() -> replies(request).size() > before);
            assertThat(statusOf(request)).as("outcome of %s", request).isEqualTo(expected);
        }

        private List<Replied> replies(Request request) {
            return observer.all(Replied.class).stream()
                    .filter(reply -> reply.request().equals(request))
                    .toList();
        }

        Status statusOf(Request request) {
            List<Replied> all = replies(request);
            return all.get(all.size() - 1).outcome().status();
        }

        Member join() {
            ask(new Request.Create(record(id)), Status.DONE);
            awaitSnapshot(seen -> seen.owned("run-" + id, session()).isPresent());
            return own();
        }

        Member own() {
            return snapshot().owned("run-" + id, session()).orElseThrow();
        }

        EstablishedView publish(Member own, ViewSlot over, Status expected) {
            Request.Publish publication = publication(own, over);
            ask(publication, expected);
            return publication.next();
        }

        EstablishedView publishNext(Member own) {
            EstablishedView next = publish(own, snapshot().slot(), Status.DONE);
            awaitSnapshot(seen -> seen.view().equals(Optional.of(next)));
            return next;
        }

        /** Returns what the store says now. */
        Inquiry inquire() {
            ask(new Request.Inquire(), Status.DONE);
            return snapshot().inquiry().orElseThrow();
        }

        /** The newest snapshot at the time of the last reply is the one. */
        void assertObservedBeforeLastReply(Predicate<StoreSnapshot> condition) {
            List<RecordingObserver.Call> calls = observer.calls();
            int replied = calls.lastIndexOf(observer.last(Replied.class).orElseThrow());
            Optional<StoreSnapshot> newest = calls.subList(0, replied).stream()
                    .filter(Observed.class::isInstance)
                    .map(call -> ((Observed) call).snapshot())
                    .reduce((first, second) -> second);
            assertThat(newest).hasValueSatisfying(seen -> assertThat(condition)
                    .as("snapshot known when the confirmation was replied: %s", seen)
                    .accepts(seen));
        }

        boolean isAnswered() {
            return observer.all(Replied.class).size() >= asked.size();
        }

        void assertAnsweredOnce() {
            List<Request> answered =
                    observer.all(Replied.class).stream().map(Replied::request).toList();
            if (closed || unreachable) {
                assertThat(asked).containsAll(answered);
            } else {
                assertThat(answered).containsExactlyInAnyOrderElementsOf(asked);
            }
        }
    }
}
