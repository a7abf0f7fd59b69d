// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing;

import io.github.discoveryzk.model.Acknowledgement;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.MemberRecord;
import io.github.discoveryzk.spi.Outcome.Status;
import io.github.discoveryzk.spi.Request;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The order on which leases and acknowledgements rely: earlier changes are observed before an outcome. */
interface OrderContract extends StoreContract {

    @Test
    default void aChangeIsObservedBeforeALaterProbeIsCompleted() {
        Witness a = joined("a");
        Witness b = joined("b");
        for (int i = 0; i < REPEATED; i++) {
            MemberRecord record = b.update(Map.of("p", "" + i));
            a.perform(new Request.Probe());
            a.assertObservedBeforeLastOutcome(seen ->
                    seen.members().stream().anyMatch(member -> member.record().equals(record)));
        }
        b.leave(LeaveRecord.Kind.STOPPED);
        a.perform(new Request.Probe());
        a.assertObservedBeforeLastOutcome(seen -> seen.members().size() == 1);
    }

    @Test
    default void aViewIsObservedBeforeALaterProbeIsCompleted() {
        Witness a = open("a");
        Witness b = joined("b");
        for (int i = 0; i < REPEATED; i++) {
            EstablishedView next = b.publish(b.snapshot().slot(), Status.DONE);
            a.perform(new Request.Probe());
            a.assertObservedBeforeLastOutcome(seen -> seen.view().equals(Optional.of(next)));
            b.awaitView(next);
        }
    }

    @Test
    default void anAcknowledgementIsObservedBeforeALaterProbeIsCompleted() {
        Witness a = open("a");
        Witness b = joined("b");
        a.store().collect(true);
        a.awaitSnapshot(seen -> seen.acknowledgements().isPresent());
        for (int i = 0; i < REPEATED; i++) {
            Acknowledgement next = new Acknowledgement(b.member.node(), i);
            b.acknowledge(i);
            a.perform(new Request.Probe());
            a.assertObservedBeforeLastOutcome(
                    seen -> seen.acknowledgements().orElse(Set.of()).contains(next));
        }
    }

    @Test
    default void anOwnWriteIsObservedBeforeItIsCompleted() {
        Witness a = joined("a");
        for (int i = 0; i < REPEATED; i++) {
            MemberRecord record = a.update(Map.of("p", "" + i));
            a.perform(new Request.Probe());
            a.assertObservedBeforeLastOutcome(
                    seen -> seen.members().get(0).record().equals(record));
        }
    }

    @Test
    default void probesNeedNoMemberNode() {
        Witness a = open("a");

        a.perform(new Request.Probe());
        a.perform(new Request.ProbeLease());
    }
}
