// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.sling.discovery.base.protocol.Facts.Confirmations;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.ViewDifference;
import org.apache.sling.discovery.commons.spi.Request;
import org.junit.jupiter.api.Test;

class ConfirmationsTest {

    @Test
    void thePublicationOfTheOwnLeadIsARenewal() {
        assertThat(after(publication("m-a")).renewed()).isEqualTo(1_000);
    }

    /**
     * The store does not count it: an instance that publishes for another leader, and then leads a view that a third one
     * publishes, would act on a lease that its successor has not read.
     */
    @Test
    void thePublicationForAnotherLeaderIsNone() {
        Confirmations confirmations = after(publication("m-b"));
        assertThat(confirmations.renewed()).isEqualTo(Confirmations.NONE.renewed());
        assertThat(confirmations.any()).isEqualTo(1_000);
    }

    private static Confirmations after(Request request) {
        return Confirmations.NONE.with(request, 1_000);
    }

    /** A view that is led by m-a, published by the node given. */
    private static Request publication(String publisher) {
        EstablishedView next = SampleViews.view(
                5, List.of(SampleViews.member("a", 1, Map.of()), SampleViews.member("b", 2, Map.of())));
        HistoryEntry entry = new HistoryEntry(ViewDifference.between(Optional.empty(), next), List.of(), 0, 0);
        return new Request.Publish(next, 1, publisher, entry, Set.of());
    }
}
