// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.testing;

import static org.apache.sling.discovery.testing.Samples.leaving;
import static org.apache.sling.discovery.testing.Samples.publication;
import static org.apache.sling.discovery.testing.Samples.replacing;
import static org.apache.sling.discovery.testing.Samples.withProperties;
import static org.apache.sling.discovery.testing.Samples.withRenewals;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.Renewal;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.junit.jupiter.api.Test;

/** The contract of leases, departure notes and lease probes. */
interface LeaseContract extends StoreContract {

    @Test
    default void renewalIsDoneOnlyWhileTheNodeIsThereAndTheSlotHasThatVersion() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        int before = a.snapshot().slot().version();
        a.ask(new Request.Renew(ofA.node(), before, 9_000), Status.DONE);
        b.publishNext(ofB);
        a.ask(new Request.Probe(), Status.DONE);
        a.ask(new Request.Renew(ofA.node(), before, 9_000), Status.OVERTAKEN);
        int after = a.snapshot().slot().version();
        a.ask(new Request.Renew(ofA.node(), after, 9_000), Status.DONE);
        a.ask(leaving(ofA, DepartureNote.Kind.STOPPED), Status.DONE);
        a.ask(new Request.Renew(ofA.node(), after, 9_000), Status.OVERTAKEN);
    }

    @Test
    default void renewalsOfALeaseRaiseTheirNumberAndNothingElseDoes() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        long start = b.probeLease().renewals();
        a.ask(new Request.Renew(ofA.node(), a.snapshot().slot().version(), 9_000), Status.DONE);
        long renewed = b.probeLease().renewals();
        assertThat(renewed).isGreaterThan(start);
        a.ask(publication(ofA, a.snapshot().slot()), Status.DONE);
        long published = b.probeLease().renewals();
        assertThat(published).isGreaterThan(renewed);

        a.awaitSnapshot(seen -> seen.view().isPresent());
        a.ask(new Request.Renew(ofA.node(), a.snapshot().slot().version() + 1, 9_000), Status.OVERTAKEN);
        a.ask(new Request.Update(ofA.node(), withProperties(ofA.record(), Map.of("p", "1"))), Status.DONE);
        a.ask(new Request.Acknowledge(ofA.node(), 5), Status.DONE);
        a.ask(new Request.Probe(), Status.DONE);
        a.ask(new Request.ProbeLease(), Status.DONE);
        b.awaitSnapshot(seen -> seen.view().isPresent());
        b.ask(publication(ofA, ofB.node(), b.snapshot().slot(), Set.of()), Status.DONE);
        b.ask(leaving(ofB, DepartureNote.Kind.STOPPED), Status.DONE);
        assertThat(b.probeLease().renewals()).isEqualTo(published);
    }

    /** Those that wait for the end of the lease need its length, and know nothing of the leader but what it has written there. */
    @Test
    default void theLastRenewalNamesTheLeaderAndItsSessionTimeout() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        assertThat(b.probeLease().last()).isEmpty();
        a.ask(new Request.Renew(ofA.node(), a.snapshot().slot().version(), 40_000), Status.DONE);
        assertThat(b.probeLease().last()).contains(new Renewal(ofA.node(), 40_000));
        b.awaitSnapshot(seen -> seen.members().size() == 2);
        Request.Publish publication = publication(ofB, b.snapshot().slot());
        b.ask(publication, Status.DONE);
        assertThat(a.probeLease().last()).contains(new Renewal(ofB.node(), publication.sessionTimeoutMillis()));

        b.awaitSnapshot(seen -> seen.view().isPresent());
        b.ask(publication(ofA, ofB.node(), b.snapshot().slot(), Set.of()), Status.DONE);
        b.ask(leaving(ofB, DepartureNote.Kind.STOPPED), Status.DONE);
        assertThat(a.probeLease().last()).contains(new Renewal(ofB.node(), publication.sessionTimeoutMillis()));
    }

    /** A leader that renews between the last lease probe and the publication keeps the lead. */
    @Test
    default void publicationIsOvertakenByARenewalThatItDoesNotKnow() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        a.publishNext(ofA);
        b.awaitSnapshot(seen -> seen.view().isPresent());
        long known = b.probeLease().renewals();
        a.ask(new Request.Renew(ofA.node(), a.snapshot().slot().version(), 9_000), Status.DONE);
        b.ask(replacing(ofB, b.snapshot().slot(), known), Status.OVERTAKEN);
        b.ask(replacing(ofB, b.snapshot().slot(), b.probeLease().renewals()), Status.DONE);
        b.awaitSnapshot(
                seen -> seen.view().filter(view -> view.contains(ofB.node())).isPresent());
    }

    /** The next leader may be another member than the publisher. */
    @Test
    default void publicationForAnotherLeaderIsOvertakenToo() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        a.publishNext(ofA);
        b.awaitSnapshot(seen -> seen.view().isPresent());
        long known = b.probeLease().renewals();
        a.ask(new Request.Renew(ofA.node(), a.snapshot().slot().version(), 9_000), Status.DONE);
        ViewSlot slot = b.snapshot().slot();
        Request.Publish publication = publication(ofA, ofB.node(), slot, Set.of());
        b.ask(withRenewals(publication, known), Status.OVERTAKEN);
        b.ask(withRenewals(publication, b.probeLease().renewals()), Status.DONE);
    }

    @Test
    default void departureNoteOfAMemberIsShownUntilAPublicationRemovesIt() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        a.publishNext(ofA);
        b.awaitSnapshot(seen -> seen.view().isPresent());
        DepartureNote note = new DepartureNote(ofA.node(), DepartureNote.Kind.EVICTED, ofB.node());
        assertThat(b.probeLease().notes()).isEmpty();
        b.ask(new Request.Delete(note), Status.DONE);

        assertThat(b.probeLease().notes()).containsExactly(note);
        assertThat(a.probeLease().of(ofA.node())).contains(note);
        EstablishedView next = b.publishNext(ofB);
        assertThat(b.probeLease().notes()).containsExactly(note);
        Request.Publish hearing = publication(ofB, ofB.node(), b.snapshot().slot(), Set.of(note));
        b.ask(hearing, Status.DONE);
        assertThat(hearing.next().number()).isGreaterThan(next.number());
        assertThat(b.probeLease().notes()).isEmpty();
    }

    @Test
    default void aNodeOutsideTheViewLeavesNoDepartureNote() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        a.publishNext(ofA);
        b.awaitSnapshot(seen -> seen.view().isPresent());
        b.ask(leaving(ofB, DepartureNote.Kind.STOPPED), Status.DONE);

        assertThat(b.probeLease().notes()).isEmpty();
    }

    @Test
    default void aNodeIsDeletedOnceAndLeavesOneDepartureNote() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        a.publishNext(ofA);
        b.awaitSnapshot(seen -> seen.view().isPresent());
        a.ask(leaving(ofA, DepartureNote.Kind.STOOD_DOWN), Status.DONE);
        a.ask(leaving(ofA, DepartureNote.Kind.STOPPED), Status.DONE);
        b.ask(new Request.Delete(new DepartureNote(ofA.node(), DepartureNote.Kind.EVICTED, ofB.node())), Status.DONE);

        assertThat(b.probeLease().notes())
                .containsExactly(DepartureNote.own(ofA.node(), DepartureNote.Kind.STOOD_DOWN));
    }

    @Test
    default void anEndedSessionLeavesNoDepartureNote() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        a.publishNext(ofA);
        expire(a.store);
        b.awaitSnapshot(seen -> seen.members().isEmpty());

        assertThat(b.probeLease().notes()).isEmpty();
    }

    @Test
    default void departureNotesThatAreGoneAlreadyAreNoObstacleToAPublication() {
        Peer a = open("a");
        Member own = a.join();
        DepartureNote unknown = DepartureNote.own("m-0123456789abcdef-1-1-0000000001", DepartureNote.Kind.DIED);
        Request.Publish publication = publication(own, own.node(), a.snapshot().slot(), Set.of(unknown));
        a.ask(publication, Status.DONE);

        a.awaitSnapshot(seen -> seen.view().equals(Optional.of(publication.next())));
    }

    @Test
    default void aLeaseProbeIsShownBeforeItsOutcome() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofA = a.join();
        Member ofB = b.join();
        assertThat(a.snapshot().leaseProbe()).isEmpty();
        for (int i = 0; i < REPEATED; i++) {
            MemberRecord record = withProperties(ofB.record(), Map.of("p", String.valueOf(i)));
            b.ask(new Request.Update(ofB.node(), record), Status.DONE);
            long before = a.probeLease().renewals();
            a.ask(new Request.Renew(ofA.node(), a.snapshot().slot().version(), 9_000), Status.DONE);
            a.ask(new Request.ProbeLease(), Status.DONE);
            a.assertObservedBeforeLastOutcome(
                    seen -> seen.leaseProbe().orElseThrow().renewals() > before
                            && seen.members().stream()
                                    .anyMatch(member -> member.record().equals(record)));
        }
    }

    @Test
    default void aLeaseProbeIsForgottenWithTheConnection() {
        Peer a = open("a");
        a.probeLease();
        a.interrupt();
        a.restore();

        assertThat(a.firstAfterLastConnected().leaseProbe()).isEmpty();
    }
}
