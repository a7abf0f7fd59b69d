// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import org.apache.sling.discovery.commons.model.DepartureNote;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.zk.testing.Witness;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What each change costs whom, in requests counted by the server. Pings are not counted. */
class StoreCostTest extends TwoInstances {
    private Member first;
    private Member second;

    @BeforeEach
    void settle() {
        first = a.join();
        second = b.join();
        a.awaitSnapshot(all -> all.members().size() == 2);
        b.awaitSnapshot(all -> all.members().size() == 2);
        server.forgetAsked();
    }

    /** Waits until both have heard all that happened, then says what they asked; the two confirmations are left out. */
    private void costs(Map<String, Long> toA, Map<String, Long> toB) {
        Map<String, Long> ofA = server.asked(a.session());
        Map<String, Long> ofB = server.asked(b.session());
        assertThat(ofA).isEqualTo(toA);
        assertThat(ofB).isEqualTo(toB);
    }

    @Test
    void joinCostsOneReadEach() throws Exception {
        a.perform(Witness.leaving(first));
        b.awaitSnapshot(all -> all.members().size() == 1);
        costs(Map.of("delete", 1L), Map.of());

        server.forgetAsked();
        a.perform(new Request.Announce(a.record(Map.of())));
        b.awaitSnapshot(all -> all.members().size() == 2);
        costs(Map.of("create", 1L, "getData", 1L), Map.of("getData", 1L));
    }

    @Test
    void propertyChangeCostsOneReadEach() {
        a.perform(new Request.Update(first.node(), a.record(Map.of("x", "y"))));
        b.awaitSnapshot(all -> !all.members().get(0).record().properties().isEmpty());
        costs(Map.of("setData", 1L, "getData", 1L), Map.of("getData", 1L));
    }

    @Test
    void publicationCostsOneTransactionAndOneReadEach() {
        b.store().collect(true);
        b.awaitSnapshot(all -> all.acknowledgements().isPresent());
        b.perform(new Request.Probe());
        server.forgetAsked();
        b.perform(b.publication(second.node()));
        a.awaitSnapshot(all -> all.view().isPresent());
        costs(Map.of("getData", 1L), Map.of("multi", 1L, "getData", 1L));
    }

    @Test
    void acknowledgementIsToldToWhoCollectsAndReadByNobody() {
        a.store().collect(true);
        a.awaitSnapshot(all -> all.acknowledgements().isPresent());
        a.perform(new Request.Probe());
        int told = b.calls().size();
        server.forgetAsked();
        b.perform(new Request.Acknowledge(second.node(), 4));
        b.perform(new Request.Acknowledge(second.node(), 5));
        a.awaitSnapshot(all -> all.acknowledgements().get().size() == 1
                && all.acknowledgements().get().iterator().next().number() == 5);
        costs(Map.of(), Map.of("multi", 2L));
        assertThat(b.calls()).hasSize(told + 2);

        a.store().collect(false);
        b.perform(new Request.Acknowledge(second.node(), 6));
        a.perform(new Request.Probe());
        costs(Map.of("removeWatches", 1L, "exists", 1L), Map.of("multi", 3L));
    }

    @Test
    void firstAcknowledgementOfANewSessionCostsOneRequestToo() {
        a.perform(new Request.Acknowledge(first.node(), 4));
        server.expire(a.session());
        await().atMost(Witness.LONG)
                .until(() -> a.calls(Witness.Connected.class).size() == 2);
        String node = a.join().node();
        b.awaitSnapshot(all -> all.isLive(node));
        server.forgetAsked();
        a.perform(new Request.Acknowledge(node, 5));
        costs(Map.of("multi", 1L), Map.of());
    }

    @Test
    void probeCostsOneRequest() {
        a.perform(new Request.Renew(first.node(), a.snapshot().get().slot().version(), 9_000));
        b.perform(new Request.Probe());
        costs(Map.of("multi", 1L), Map.of("exists", 1L));
    }

    @Test
    void leaseProbeCostsOneRequest() {
        b.perform(new Request.ProbeLease());
        costs(Map.of(), Map.of("multiRead", 1L));
    }

    @Test
    void leaveOfAMemberOfTheViewCostsOneTransaction() {
        a.perform(a.publication(first.node()));
        b.awaitSnapshot(all -> all.view().isPresent());
        server.forgetAsked();
        a.perform(Witness.leaving(first));
        b.awaitSnapshot(all -> all.members().size() == 1);
        costs(Map.of("multi", 1L), Map.of());
    }

    @Test
    void departureNoteThatWasHeardCostsTheNextPublicationNothing() {
        b.perform(b.publication(second.node()));
        Request.Delete leaving = Witness.leaving(second);
        b.perform(leaving);
        a.awaitSnapshot(all -> all.members().size() == 1);
        a.perform(new Request.ProbeLease());
        a.perform(a.publication(first.node(), first.node(), leaving.note()));
        long heard = a.awaitSnapshot(all -> all.view().get().leader().node().equals(first.node()))
                .view()
                .get()
                .number();
        b.awaitSnapshot(all -> all.view().get().number() == heard);
        a.perform(new Request.Probe());
        server.forgetAsked();
        a.perform(a.publication(
                first.node(),
                first.node(),
                a.snapshot().get().leaseProbe().get().notes().toArray(DepartureNote[]::new)));
        a.awaitSnapshot(all -> all.view().get().number() > heard);
        b.awaitSnapshot(all -> all.view().get().number() > heard);
        costs(Map.of("multi", 1L, "getData", 1L), Map.of("getData", 1L));
    }

    @Test
    void reconnectReadsEverythingOnce() {
        server.drop(a.session());
        await().atMost(Witness.LONG)
                .until(() -> a.calls(Witness.Connected.class).size() == 2);
        a.awaitSnapshot(all -> all.members().size() == 2);
        a.perform(new Request.Probe());
        Map<String, Long> asked = new java.util.TreeMap<>(server.asked(a.session()));
        asked.keySet().removeIf(one -> one.toLowerCase(java.util.Locale.ROOT).contains("session"));
        // The watches, by the client and by the store; the tree, the view and the names; the records; the other
        // clusters
        // and the announcements; the probe.
        assertThat(asked)
                .isEqualTo(Map.of("setWatches2", 1L, "addWatch", 3L, "multiRead", 2L, "getChildren", 2L, "exists", 1L));
    }
}
