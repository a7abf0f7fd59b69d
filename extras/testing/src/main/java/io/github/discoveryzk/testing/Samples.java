// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing;

import io.github.discoveryzk.model.Departure;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.HistoryEntry;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.LeaveRecord;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.Reason;
import io.github.discoveryzk.model.ViewDifference;
import io.github.discoveryzk.model.ViewHead;
import io.github.discoveryzk.model.ViewSlot;
import io.github.discoveryzk.spi.Request;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** Records and requests for the contracts. */
final class Samples {

    private Samples() {}

    static String runtimeId(String id) {
        return UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8)).toString();
    }

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
