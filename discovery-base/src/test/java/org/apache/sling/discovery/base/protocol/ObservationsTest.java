// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.sling.discovery.base.protocol.Facts.Confirmations;
import org.apache.sling.discovery.base.protocol.Facts.Intent;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.LeaseProbe;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.sling.discovery.commons.model.StoreSnapshot;
import org.apache.sling.discovery.commons.model.ViewDifference;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.commons.spi.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObservationsTest {

    private static final MemberRecord RECORD = SampleViews.record("a", Map.of());

    private final Observations observations = new Observations(RECORD);

    @Test
    void nothingIsKnownAtFirst() {
        assertThat(facts().store()).isEmpty();
        assertThat(facts().link().usable()).isFalse();
        assertThat(facts().seen().highest()).isZero();
    }

    @Test
    void aSnapshotReadBeforeTheLastConnectIsNotUsable() {
        observations.connected(7, 9_000);
        observations.observed(snapshot("m-a", 7), 1_000);
        assertThat(facts().link().usable()).isTrue();
        observations.suspended();
        assertThat(facts().link().usable()).isFalse();
        observations.connected(7, 9_000);
        assertThat(facts().link().usable()).isFalse();
        assertThat(facts().store()).isPresent();
        observations.observed(snapshot("m-a", 7), 2_000);
        assertThat(facts().link().usable()).isTrue();
    }

    @Test
    void anotherSessionStartsWithoutConfirmationsAndSnapshot() {
        observations.connected(7, 9_000);
        observations.observed(snapshot("m-a", 7), 1_000);
        observations.recordSuccess(new Request.Renew("m-a", 3, 9_000), 900);
        assertThat(facts().confirmations().renewed()).isEqualTo(900);
        observations.connected(8, 9_000);
        assertThat(facts().confirmations()).isEqualTo(Confirmations.NONE);
        assertThat(facts().store()).isEmpty();
    }

    /** Those that wait for the end of a lease go by its last renewal, whatever timeout an earlier one of the same leader was counted by. */
    @Test
    void theLongestTimeoutOfASessionIsRememberedAsLongAsTheSessionLasts() {
        observations.connected(7, 9_000);
        observations.connected(7, 3_000);
        assertThat(facts().link().timeoutMillis()).isEqualTo(3_000);
        observations.suspended();
        observations.observed(snapshot("m-a", 7), 1_000);
        assertThat(facts().link().longestMillis()).isEqualTo(9_000);
        observations.connected(8, 3_000);
        assertThat(facts().link().longestMillis()).isEqualTo(3_000);
    }

    @Test
    void theEndOfALeaseEndsAllConfirmations() {
        observations.connected(7, 9_000);
        observations.observed(snapshot("m-a", 7), 1_000);
        observations.recordSuccess(new Request.Renew("m-a", 3, 9_000), 900);
        observations.endLease();
        assertThat(facts().confirmations()).isEqualTo(Confirmations.NONE);
    }

    @Test
    void aSnapshotWithoutASessionIsNotUsable() {
        observations.observed(snapshot("m-a", 7), 1_000);
        assertThat(facts().link().usable()).isFalse();
    }

    @Test
    void theAcknowledgementOfAnEarlierNodeDoesNotCount() {
        observations.connected(7, 9_000);
        observations.observed(snapshot("m-a", 7), 1_000);
        observations.recordSuccess(new Request.Acknowledge("m-a", 5), 900);
        assertThat(facts().seen().acknowledged()).isEqualTo(OptionalLong.of(5));
        observations.observed(snapshot("m-b", 7), 1_100);
        assertThat(facts().seen().acknowledged()).isEmpty();
    }

    @Test
    void theNumberOfRenewalsIsKnownSinceItWasFirstRead() {
        observations.connected(7, 9_000);
        observations.observed(leaseProbed(3), 1_000);
        observations.observed(leaseProbed(3), 2_000);
        assertThat(facts().seen().renewalsSince()).isEqualTo(1_000);
        observations.observed(leaseProbed(4), 3_000);
        assertThat(facts().seen().renewalsSince()).isEqualTo(3_000);
    }

    @Test
    void theHighestNumberIsRememberedOverSessions() {
        observations.connected(7, 9_000);
        observations.observed(viewed(9, "m-a", 7), 1_000);
        observations.connected(8, 9_000);
        StoreSnapshot older = viewed(8, "m-b", 8);
        assertThat(observations.isBackwards(older)).isTrue();
        observations.observed(older, 2_000);
        assertThat(facts().seen().highest()).isEqualTo(9);
    }

    /** Without an own node, it may be a late message. */
    @Test
    void anOlderViewWithoutAnOwnNodeIsNotBackwards() {
        observations.connected(7, 9_000);
        observations.observed(viewed(9, "m-a", 7), 1_000);
        assertThat(observations.isBackwards(viewed(8, "m-b", 99))).isFalse();
    }

    /**
     * The store does not count the publication for another leader: an instance that publishes for another one, and then leads a
     * view that a third one publishes, would act on a lease that its successor has not read.
     */
    @ParameterizedTest
    @CsvSource({"m-a, true", "m-b, false"})
    void onlyThePublicationOfTheOwnLeadIsARenewal(String publisher, boolean renews) {
        EstablishedView next = SampleViews.view(
                5, List.of(SampleViews.member("a", 1, Map.of()), SampleViews.member("b", 2, Map.of())));
        HistoryEntry entry = new HistoryEntry(ViewDifference.between(Optional.empty(), next), List.of(), 0, 0);
        observations.recordSuccess(new Request.Publish(next, 1, publisher, entry, Set.of()), 1_000);

        assertThat(facts().confirmations().renewed()).isEqualTo(renews ? 1_000 : Confirmations.NONE.renewed());
        assertThat(facts().confirmations().any()).isEqualTo(1_000);
    }

    private Facts facts() {
        return observations.facts(List.of(), Set.of(), Intent.NONE, 0);
    }

    private static StoreSnapshot snapshot(String node, long session) {
        return snapshot(node, session, Optional.empty(), Optional.empty());
    }

    private static StoreSnapshot leaseProbed(long renewals) {
        return snapshot("m-a", 7, Optional.empty(), Optional.of(new LeaseProbe(renewals, Set.of())));
    }

    private static StoreSnapshot viewed(long number, String node, long session) {
        EstablishedView view = SampleViews.view(number, List.of(new Member(node, 20, 0, session, RECORD)));
        return snapshot(node, session, Optional.of(view), Optional.empty());
    }

    private static StoreSnapshot snapshot(
            String node, long session, Optional<EstablishedView> view, Optional<LeaseProbe> leaseProbe) {
        Member member = new Member(node, 20, 0, session, RECORD);
        return new StoreSnapshot(
                "the-cluster", List.of(member), new ViewSlot(1, 20, 0, view), Optional.empty(), leaseProbe, List.of());
    }
}
