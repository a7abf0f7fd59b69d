// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing;

import static io.github.discoveryzk.testing.Samples.publication;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.ViewSlot;
import io.github.discoveryzk.spi.Outcome.Status;
import io.github.discoveryzk.spi.Request;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of the stored view, its publication and its history. */
interface ViewContract extends StoreContract {

    int MORE_THAN_KEPT = 550;

    @Test
    default void publicationIsShownToAllWithVersionAndStampRaised() {
        Witness a = joined("a");
        Witness b = joined("b");
        ViewSlot before = a.snapshot().slot();
        EstablishedView next = a.publish(before, Status.DONE);

        for (Witness peer : List.of(a, b)) {
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
        Witness a = joined("a");
        Witness b = joined("b");
        ViewSlot stale = b.snapshot().slot();
        EstablishedView winner = a.publish(stale, Status.DONE);
        b.publish(stale, Status.OVERTAKEN);

        a.perform(new Request.Probe());
        assertThat(a.snapshot().view()).contains(winner);
    }

    @Test
    default void publicationWithoutTheMemberNodeIsRefused() {
        Witness a = joined("a");
        ViewSlot before = a.snapshot().slot();
        a.leave(LeaveRecord.Kind.STOPPED);
        a.publish(before, Status.OVERTAKEN);

        a.perform(new Request.Probe());
        assertThat(a.snapshot().slot()).isEqualTo(before);
        historySize().ifPresent(size -> assertThat(size).isZero());
    }

    @Test
    default void oneOfManyRivalsPublishes() {
        List<Witness> rivals = List.of(open("a"), open("b"), open("c"));
        rivals.forEach(Witness::join);
        rivals.forEach(peer -> peer.awaitSnapshot(seen -> seen.members().size() == 3));
        ViewSlot slot = rivals.get(0).snapshot().slot();
        List<Request> asked = rivals.stream()
                .map(peer -> peer.send(publication(peer.member, slot)))
                .toList();
        rivals.forEach(peer -> await(peer::isCompleted));

        List<Status> outcomes = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            outcomes.add(rivals.get(i).outcomes(asked.get(i)).get(0).status());
        }
        assertThat(outcomes).containsExactlyInAnyOrder(Status.DONE, Status.OVERTAKEN, Status.OVERTAKEN);
        EstablishedView winner = ((Request.Publish) asked.get(outcomes.indexOf(Status.DONE))).next();
        rivals.forEach(peer -> peer.awaitView(winner));
    }

    @Test
    default void eachPublicationHasItsHistoryEntryUpToABound() {
        assumeTrue(historySize().isPresent(), "this back end cannot count history entries");
        Witness a = joined("a");
        a.publishNext();
        assertThat(historySize()).hasValue(1);
        a.publishNext();
        assertThat(historySize()).hasValue(2);

        int largest = 0;
        for (int i = 0; i < MORE_THAN_KEPT; i++) {
            a.publishNext();
            largest = Math.max(largest, historySize().getAsInt());
        }
        assertThat(largest).isLessThan(MORE_THAN_KEPT);
        assertThat(historySize()).hasValue(largest);
    }

    @Test
    default void numbersGrowThoughTheViewCannotBeRead() {
        Witness a = joined("a");
        a.publishNext();
        EstablishedView last = a.publishNext();
        assumeTrue(spoilView(), "this back end cannot spoil a view");

        a.awaitSnapshot(seen -> seen.view().isEmpty());
        assertThat(a.snapshot().problems()).isNotEmpty();
        assertThat(a.snapshot().slot().nextNumber()).isGreaterThan(last.number());
        assertThat(a.publishNext().number()).isGreaterThan(last.number());
        assertThat(a.snapshot().problems()).isEmpty();
    }

    @Test
    default void numbersGrowThoughEverythingWasDeleted() {
        Witness a = joined("a");
        a.publishNext();
        EstablishedView last = a.publishNext();
        a.close();
        assumeTrue(deleteEverything(), "this back end cannot delete everything");

        Witness b = joined("b");
        assertThat(b.snapshot().view()).isEmpty();
        assertThat(b.publishNext().number()).isGreaterThan(last.number());
    }

    @Test
    default void theViewOutlivesItsMembers() {
        Witness a = joined("a");
        EstablishedView last = a.publishNext();
        a.close();

        Witness b = open("b");
        assertThat(b.snapshot().view()).contains(last);
    }
}
