// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.testing;

import static org.apache.sling.discovery.testing.Samples.withProperties;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.sling.discovery.commons.model.Acknowledgement;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.spi.Outcome.Status;
import org.apache.sling.discovery.commons.spi.Request;
import org.junit.jupiter.api.Test;

/** The order on which leases and acknowledgements rely: earlier changes are observed before an outcome. */
interface OrderContract extends StoreContract {

    @Test
    default void aChangeIsObservedBeforeALaterProbeIsCompleted() {
        Peer a = open("a");
        Peer b = open("b");
        a.join();
        Member ofB = b.join();
        for (int i = 0; i < REPEATED; i++) {
            MemberRecord record = withProperties(ofB.record(), Map.of("p", String.valueOf(i)));
            b.ask(new Request.Update(ofB.node(), record), Status.DONE);
            a.ask(new Request.Probe(), Status.DONE);
            a.assertObservedBeforeLastOutcome(seen ->
                    seen.members().stream().anyMatch(member -> member.record().equals(record)));
        }
        b.ask(new Request.Delete(DepartureNote.own(ofB.node(), DepartureNote.Kind.STOPPED)), Status.DONE);
        a.ask(new Request.Probe(), Status.DONE);
        a.assertObservedBeforeLastOutcome(seen -> seen.members().size() == 1);
    }

    @Test
    default void aViewIsObservedBeforeALaterProbeIsCompleted() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofB = b.join();
        for (int i = 0; i < REPEATED; i++) {
            EstablishedView next = b.publish(ofB, b.snapshot().slot(), Status.DONE);
            a.ask(new Request.Probe(), Status.DONE);
            a.assertObservedBeforeLastOutcome(seen -> seen.view().equals(Optional.of(next)));
            b.awaitSnapshot(seen -> seen.view().equals(Optional.of(next)));
        }
    }

    @Test
    default void anAcknowledgementIsObservedBeforeALaterProbeIsCompleted() {
        Peer a = open("a");
        Peer b = open("b");
        Member ofB = b.join();
        a.store.collect(true);
        a.awaitSnapshot(seen -> seen.acknowledgements().isPresent());
        for (int i = 0; i < REPEATED; i++) {
            Acknowledgement next = new Acknowledgement(ofB.node(), i);
            b.ask(new Request.Acknowledge(ofB.node(), i), Status.DONE);
            a.ask(new Request.Probe(), Status.DONE);
            a.assertObservedBeforeLastOutcome(
                    seen -> seen.acknowledgements().orElse(Set.of()).contains(next));
        }
    }

    @Test
    default void anOwnWriteIsObservedBeforeItIsCompleted() {
        Peer a = open("a");
        Member own = a.join();
        for (int i = 0; i < REPEATED; i++) {
            MemberRecord record = withProperties(own.record(), Map.of("p", String.valueOf(i)));
            a.ask(new Request.Update(own.node(), record), Status.DONE);
            a.ask(new Request.Probe(), Status.DONE);
            a.assertObservedBeforeLastOutcome(
                    seen -> seen.members().get(0).record().equals(record));
        }
    }

    @Test
    default void probesNeedNoMemberNode() {
        Peer a = open("a");

        a.ask(new Request.Probe(), Status.DONE);
        a.ask(new Request.ProbeLease(), Status.DONE);
    }
}
