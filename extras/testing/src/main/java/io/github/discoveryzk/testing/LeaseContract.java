// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing;

import static io.github.discoveryzk.testing.Samples.publication;
import static io.github.discoveryzk.testing.Samples.withRenewals;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.model.Renewal;
import io.github.discoveryzk.model.ViewSlot;
import io.github.discoveryzk.spi.Outcome.Status;
import io.github.discoveryzk.spi.Request;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The contract of leases, leave records and lease probes. */
interface LeaseContract extends StoreContract {

    @Test
    default void renewalIsDoneOnlyWhileTheNodeIsThereAndTheSlotHasThatVersion() {
        Witness a = joined("a");
        Witness b = joined("b");
        int before = a.snapshot().slot().version();
        a.ask(new Request.Renew(a.member.node(), before, 9_000), Status.DONE);
        b.publishNext();
        a.perform(new Request.Probe());
        a.ask(new Request.Renew(a.member.node(), before, 9_000), Status.OVERTAKEN);
        int after = a.snapshot().slot().version();
        a.ask(new Request.Renew(a.member.node(), after, 9_000), Status.DONE);
        a.leave(LeaveRecord.Kind.STOPPED);
        a.ask(new Request.Renew(a.member.node(), after, 9_000), Status.OVERTAKEN);
    }

    @Test
    default void renewalsOfALeaseRaiseTheirNumberAndNothingElseDoes() {
        Witness a = joined("a");
        Witness b = joined("b");
        long start = b.leaseProbe().renewals();
        a.perform(a.renewal());
        long renewed = b.leaseProbe().renewals();
        assertThat(renewed).isGreaterThan(start);
        a.ask(publication(a.member, a.snapshot().slot()), Status.DONE);
        long published = b.leaseProbe().renewals();
        assertThat(published).isGreaterThan(renewed);

        a.awaitSnapshot(seen -> seen.view().isPresent());
        a.ask(new Request.Renew(a.member.node(), a.snapshot().slot().version() + 1, 9_000), Status.OVERTAKEN);
        a.ask(new Request.Update(a.member.node(), a.record(Map.of("p", "1"))), Status.DONE);
        a.acknowledge(5);
        a.perform(new Request.Probe());
        a.perform(new Request.ProbeLease());
        b.awaitSnapshot(seen -> seen.view().isPresent());
        b.ask(publication(a.member.incarnation(), b.member.node(), b.snapshot().slot(), Set.of()), Status.DONE);
        b.leave(LeaveRecord.Kind.STOPPED);
        assertThat(b.leaseProbe().renewals()).isEqualTo(published);
    }

    /** Those that wait for the end of the lease need its length, and know nothing of the leader but what it has written there. */
    @Test
    default void theLastRenewalNamesTheLeaderAndItsSessionTimeout() {
        Witness a = joined("a");
        Witness b = joined("b");
        assertThat(b.leaseProbe().last()).isEmpty();
        a.ask(new Request.Renew(a.member.node(), a.snapshot().slot().version(), 40_000), Status.DONE);
        assertThat(b.leaseProbe().last()).contains(new Renewal(a.member.node(), 40_000));
        b.awaitMembers(2);
        Request.Publish publication = publication(b.member, b.snapshot().slot());
        b.ask(publication, Status.DONE);
        assertThat(a.leaseProbe().last()).contains(publication.renewal());

        b.awaitSnapshot(seen -> seen.view().isPresent());
        b.ask(publication(a.member.incarnation(), b.member.node(), b.snapshot().slot(), Set.of()), Status.DONE);
        b.leave(LeaveRecord.Kind.STOPPED);
        assertThat(a.leaseProbe().last()).contains(publication.renewal());
    }

    /** A leader that renews between the last lease probe and the publication keeps the lead, with any next leader. */
    @Test
    default void publicationIsOvertakenByARenewalThatItDoesNotKnow() {
        Witness a = joined("a");
        Witness b = joined("b");
        EstablishedView view = a.publishNext();
        for (Witness leader : List.of(a, b)) {
            a.awaitView(view);
            b.awaitView(view);
            long known = b.leaseProbe().renewals();
            a.perform(a.renewal());
            ViewSlot slot = b.snapshot().slot();
            Request.Publish publication = publication(leader.member.incarnation(), b.member.node(), slot, Set.of());
            b.ask(withRenewals(publication, known), Status.OVERTAKEN);
            long last = b.leaseProbe().renewals();
            b.ask(withRenewals(publication, known), Status.OVERTAKEN);
            b.ask(withRenewals(publication, last), Status.DONE);
            view = publication.next();
        }
    }

    @Test
    default void leaveRecordOfAMemberIsShownUntilAPublicationRemovesIt() {
        Witness a = joined("a");
        Witness b = joined("b");
        a.publishNext();
        b.awaitSnapshot(seen -> seen.view().isPresent());
        LeaveRecord leaveRecord = new LeaveRecord(a.member.node(), LeaveRecord.Kind.EVICTED, b.member.node(), 0);
        assertThat(b.leaseProbe().leaveRecords()).isEmpty();
        b.ask(new Request.Delete(leaveRecord), Status.DONE);

        assertThat(b.leaseProbe().leaveRecords()).containsExactly(leaveRecord);
        assertThat(a.leaseProbe().of(a.member.node())).contains(leaveRecord);
        EstablishedView next = b.publishNext();
        assertThat(b.leaseProbe().leaveRecords()).containsExactly(leaveRecord);
        Request.Publish hearing = publication(
                b.member.incarnation(), b.member.node(), b.snapshot().slot(), Set.of(leaveRecord));
        b.ask(hearing, Status.DONE);
        assertThat(hearing.next().number()).isGreaterThan(next.number());
        assertThat(b.leaseProbe().leaveRecords()).isEmpty();
    }

    @Test
    default void aNodeOutsideTheViewLeavesNoLeaveRecord() {
        Witness a = joined("a");
        Witness b = joined("b");
        a.publishNext();
        b.awaitSnapshot(seen -> seen.view().isPresent());
        b.leave(LeaveRecord.Kind.STOPPED);

        assertThat(b.leaseProbe().leaveRecords()).isEmpty();
    }

    @Test
    default void aNodeIsDeletedOnceAndLeavesOneLeaveRecord() {
        Witness a = joined("a");
        Witness b = joined("b");
        a.publishNext();
        b.awaitSnapshot(seen -> seen.view().isPresent());
        a.leave(LeaveRecord.Kind.STEPPED_DOWN);
        a.leave(LeaveRecord.Kind.STOPPED);
        b.ask(
                new Request.Delete(new LeaveRecord(a.member.node(), LeaveRecord.Kind.EVICTED, b.member.node(), 0)),
                Status.DONE);

        assertThat(b.leaseProbe().leaveRecords())
                .containsExactly(LeaveRecord.own(a.member.node(), LeaveRecord.Kind.STEPPED_DOWN));
    }

    @Test
    default void anEndedSessionLeavesNoLeaveRecord() {
        Witness a = joined("a");
        Witness b = open("b");
        a.publishNext();
        expire(a.store());
        b.awaitMembers(0);

        assertThat(b.leaseProbe().leaveRecords()).isEmpty();
    }

    @Test
    default void leaveRecordsThatAreGoneAlreadyAreNoObstacleToAPublication() {
        Witness a = joined("a");
        LeaveRecord unknown = LeaveRecord.own("m-0123456789abcdef-1-1-0000000001", LeaveRecord.Kind.DIED);
        Request.Publish publication = publication(
                a.member.incarnation(), a.member.node(), a.snapshot().slot(), Set.of(unknown));
        a.ask(publication, Status.DONE);

        a.awaitView(publication.next());
    }

    @Test
    default void aLeaseProbeIsShownBeforeItsOutcome() {
        Witness a = joined("a");
        Witness b = joined("b");
        assertThat(a.snapshot().leaseProbe()).isEmpty();
        for (int i = 0; i < REPEATED; i++) {
            MemberRecord record = b.update(Map.of("p", "" + i));
            long before = a.leaseProbe().renewals();
            a.perform(a.renewal());
            a.perform(new Request.ProbeLease());
            a.assertObservedBeforeLastOutcome(
                    seen -> seen.leaseProbe().orElseThrow().renewals() > before
                            && seen.members().stream()
                                    .anyMatch(member -> member.record().equals(record)));
        }
    }

    @Test
    default void aLeaseProbeIsForgottenWithTheConnection() {
        Witness a = open("a");
        a.leaseProbe();
        interrupt(a);
        restore(a);

        assertThat(a.firstAfterLastConnected().leaseProbe()).isEmpty();
    }
}
