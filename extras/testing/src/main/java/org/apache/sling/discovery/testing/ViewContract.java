// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.testing;

import static org.apache.sling.discovery.testing.Samples.publication;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.junit.jupiter.api.Test;

/** The contract of the stored view, its publication and its history. */
interface ViewContract extends StoreContract {

    int MORE_THAN_KEPT = 550;

    @Test
    default void publicationIsShownToAllWithVersionAndStampRaised() {
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
    default void publicationOverAnotherVersionIsRefused() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        ViewSlot stale = b.snapshot().slot();
        EstablishedView winner = a.publish(ofA, stale, Status.DONE);
        b.publish(ofB, stale, Status.OVERTAKEN);

        a.ask(new Request.Probe(), Status.DONE);
        assertThat(a.snapshot().view()).contains(winner);
    }

    @Test
    default void publicationWithoutTheMemberNodeIsRefused() {
        Peer a = open("a");
        Member own = a.join();
        ViewSlot before = a.snapshot().slot();
        a.ask(new Request.Delete(DepartureNote.own(own.node(), DepartureNote.Kind.STOPPED)), Status.DONE);
        a.publish(own, before, Status.OVERTAKEN);

        a.ask(new Request.Probe(), Status.DONE);
        assertThat(a.snapshot().slot()).isEqualTo(before);
        historySize().ifPresent(size -> assertThat(size).isZero());
    }

    @Test
    default void oneOfManyRivalsPublishes() {
        List<Peer> rivals = List.of(open("a"), open("b"), open("c"));
        rivals.forEach(Peer::join);
        rivals.forEach(peer -> peer.awaitSnapshot(seen -> seen.members().size() == 3));
        ViewSlot slot = rivals.get(0).snapshot().slot();
        List<Request> asked = rivals.stream()
                .map(peer -> peer.ask(publication(peer.own(), slot)))
                .toList();
        rivals.forEach(peer -> await(peer::isCompleted));

        List<Status> outcomes = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            outcomes.add(rivals.get(i).statusOf(asked.get(i)));
        }
        assertThat(outcomes).containsExactlyInAnyOrder(Status.DONE, Status.OVERTAKEN, Status.OVERTAKEN);
        EstablishedView winner = ((Request.Publish) asked.get(outcomes.indexOf(Status.DONE))).next();
        rivals.forEach(peer -> peer.awaitSnapshot(seen -> seen.view().equals(Optional.of(winner))));
    }

    @Test
    default void eachPublicationHasItsHistoryEntryUpToABound() {
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
    default void numbersGrowThoughTheViewCannotBeRead() {
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
    default void numbersGrowThoughEverythingWasDeleted() {
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
    default void theViewOutlivesItsMembers() {
        Peer a = open("a");
        EstablishedView last = a.publishNext(a.join());
        a.close();

        Peer b = open("b");
        assertThat(b.snapshot().view()).contains(last);
    }
}
