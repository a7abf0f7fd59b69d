// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.testing;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.sling.discovery.commons.model.Departure;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.HistoryEntry;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.LeaveRecord;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.Reason;
import org.apache.sling.discovery.commons.model.ViewDifference;
import org.apache.sling.discovery.commons.model.ViewHead;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.commons.spi.Request;

/** Records and requests for the contracts. */
final class Samples {

    private Samples() {}

    static Request.Publish publication(Member leader, ViewSlot slot) {
        return publication(leader.incarnation(), leader.node(), slot, Set.of());
    }

    static Request.Publish withRenewals(Request.Publish publication, long renewals) {
        return new Request.Publish(
                publication.next(),
                publication.expectedVersion(),
                publication.renewal(),
                publication.entry(),
                publication.heard(),
                OptionalLong.of(renewals),
                publication.format());
    }

    static Request.Publish publication(Incarnation leader, String publisher, ViewSlot slot, Set<LeaveRecord> heard) {
        long number = slot.nextNumber();
        ViewHead head = new ViewHead(
                number,
                slot.view().map(EstablishedView::number).orElse(0L),
                number,
                9_000,
                1_000,
                Reason.ofText("because of \"this\""),
                leader.instanceId());
        EstablishedView next = new EstablishedView(head, List.of(leader), Set.of("m-excluded"));
        HistoryEntry entry = new HistoryEntry(
                ViewDifference.between(slot.view(), next),
                List.of(new Departure(leader, Optional.of(LeaveRecord.Kind.STOPPED), Optional.empty(), 0)),
                1,
                2);
        return new Request.Publish(next, slot.version(), publisher, entry, heard);
    }
}
