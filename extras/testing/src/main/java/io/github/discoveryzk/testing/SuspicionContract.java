// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.Suspicion;
import io.github.discoveryzk.spi.Outcome.Status;
import io.github.discoveryzk.spi.Request;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The contract of suspicions: who sees them, how they end, and that a verdict rests on one that stands. */
interface SuspicionContract extends StoreContract {

    private static Suspicion suspicion(Witness accused, Witness accuser) {
        return new Suspicion(accused.member.node(), accuser.member.node());
    }

    private static Request.Convict verdict(Suspicion suspicion) {
        return new Request.Convict(new LeaveRecord(suspicion.node(), LeaveRecord.Kind.CRASHED, suspicion.by(), 0));
    }

    private static void awaitSuspicions(Witness witness, Suspicion... all) {
        witness.awaitSnapshot(seen -> seen.suspicions().equals(Set.of(all)));
    }

    @Test
    default void aSuspicionIsShownToAccusedAndAccuserBeforeItsOutcome() {
        Witness a = joined("a");
        Witness b = joined("b");
        for (int i = 0; i < REPEATED; i++) {
            Suspicion suspicion = suspicion(b, a);
            a.perform(new Request.Suspect(suspicion));
            a.assertObservedBeforeLastOutcome(seen -> seen.suspicions().equals(Set.of(suspicion)));
            b.perform(new Request.Probe());
            b.assertObservedBeforeLastOutcome(seen -> seen.suspicions().equals(Set.of(suspicion)));
            b.perform(new Request.Refute(suspicion));
            b.assertObservedBeforeLastOutcome(seen -> seen.suspicions().isEmpty());
            awaitSuspicions(a);
        }
    }

    @Test
    default void anAccuserSuspectsAMemberOnceAtATime() {
        Witness a = joined("a");
        Witness b = joined("b");
        Witness c = joined("c");
        a.perform(new Request.Suspect(suspicion(b, a)));
        c.perform(new Request.Suspect(suspicion(b, c)));
        a.ask(new Request.Suspect(suspicion(b, a)), Status.OVERTAKEN);
        a.perform(new Request.Withdraw(suspicion(b, a)));
        awaitSuspicions(b, suspicion(b, c));
        a.perform(new Request.Suspect(suspicion(b, a)));
    }

    @Test
    default void aRefutationRemovesThatSuspicionAndNoOther() {
        Witness a = joined("a");
        Witness b = joined("b");
        Witness c = joined("c");
        a.perform(new Request.Suspect(suspicion(b, a)));
        b.perform(new Request.Refute(suspicion(b, a)));
        c.perform(new Request.Suspect(suspicion(b, c)));
        b.perform(new Request.Refute(suspicion(b, a)));
        b.perform(new Request.Probe());

        b.assertObservedBeforeLastOutcome(seen -> seen.suspicions().equals(Set.of(suspicion(b, c))));
    }

    @Test
    default void aVerdictRemovesMemberAndSuspicionAndLeavesARecord() {
        Witness a = joined("a");
        Witness b = joined("b");
        b.publishNext();
        a.awaitSnapshot(seen -> seen.view().isPresent());
        Suspicion suspicion = suspicion(b, a);
        a.perform(new Request.Suspect(suspicion));
        a.perform(verdict(suspicion));

        a.assertObservedBeforeLastOutcome(
                seen -> seen.members().size() == 1 && seen.suspicions().isEmpty());
        b.awaitMembers(1);
        assertThat(a.leaseProbe().leaveRecords())
                .containsExactly(verdict(suspicion).leaveRecord());
    }

    @Test
    default void aVerdictWithoutTheSuspicionIsOvertaken() {
        Witness a = joined("a");
        Witness b = joined("b");
        Suspicion suspicion = suspicion(b, a);
        a.ask(verdict(suspicion), Status.OVERTAKEN);
        a.perform(new Request.Suspect(suspicion));
        b.perform(new Request.Refute(suspicion));
        a.ask(verdict(suspicion), Status.OVERTAKEN);

        a.awaitMembers(2);
    }

    @Test
    default void aVerdictDoesNotRestOnTheSuspicionOfAnother() {
        Witness a = joined("a");
        Witness b = joined("b");
        Witness c = joined("c");
        a.perform(new Request.Suspect(suspicion(b, a)));
        b.perform(new Request.Refute(suspicion(b, a)));
        c.perform(new Request.Suspect(suspicion(b, c)));
        a.ask(verdict(suspicion(b, a)), Status.OVERTAKEN);

        a.awaitMembers(3);
    }

    @Test
    default void aVerdictOnAMemberThatHasGoneIsOvertaken() {
        Witness a = joined("a");
        Witness b = joined("b");
        Suspicion suspicion = suspicion(b, a);
        a.perform(new Request.Suspect(suspicion));
        b.leave(LeaveRecord.Kind.STOPPED);
        a.awaitMembers(1);
        a.ask(verdict(suspicion), Status.OVERTAKEN);
        awaitSuspicions(a, suspicion);
        a.perform(new Request.Withdraw(suspicion));

        a.assertObservedBeforeLastOutcome(seen -> seen.suspicions().isEmpty());
    }

    @Test
    default void aMemberThatHasGoneSuspectsNone() {
        Witness a = joined("a");
        Witness b = joined("b");
        Suspicion suspicion = suspicion(b, a);
        b.perform(new Request.Delete(new LeaveRecord(suspicion.by(), LeaveRecord.Kind.EVICTED, b.member.node(), 0)));
        a.awaitMembers(1);
        a.ask(new Request.Suspect(suspicion), Status.OVERTAKEN);
    }

    @Test
    default void aSuspicionEndsWithTheSessionOfItsAccuser() {
        Witness a = joined("a");
        Witness b = joined("b");
        a.perform(new Request.Suspect(suspicion(b, a)));
        awaitSuspicions(b, suspicion(b, a));
        a.close();

        awaitSuspicions(b);
    }

    @Test
    default void suspicionsAreShownAgainAfterAReconnect() {
        Witness a = joined("a");
        Witness b = joined("b");
        a.perform(new Request.Suspect(suspicion(b, a)));
        awaitSuspicions(b, suspicion(b, a));
        interrupt(a);
        interrupt(b);
        restore(a);
        restore(b);
        assertThat(a.firstAfterLastConnected().suspicions()).containsExactly(suspicion(b, a));
        assertThat(b.firstAfterLastConnected().suspicions()).containsExactly(suspicion(b, a));
        b.perform(new Request.Refute(suspicion(b, a)));

        awaitSuspicions(a);
    }

    @Test
    default void aNodeThatAMemberAnnouncesLaterIsWatchedToo() {
        Witness a = joined("a");
        Witness b = joined("b");
        b.leave(LeaveRecord.Kind.STEPPED_DOWN);
        a.awaitMembers(1);
        b.join();
        a.awaitMembers(2);
        a.perform(new Request.Suspect(suspicion(b, a)));

        awaitSuspicions(b, suspicion(b, a));
    }
}
