// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.protocol;

import io.github.discoveryzk.base.protocol.Settling.Changing;
import io.github.discoveryzk.model.EstablishedView;
import io.github.discoveryzk.model.Incarnation;
import io.github.discoveryzk.model.LeaveRecord.Kind;
import io.github.discoveryzk.model.Member;
import io.github.discoveryzk.model.StoreSnapshot;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What follows an outage: most sessions of a view have ended without any instance having left, so the instances are likely to be back within
 * a moment of each other. Without a wait, the first one that is back publishes a view of itself; and if the view stands, because the servers
 * have ended no session, members whose clients have given theirs up are about to rejoin.
 */
record Regrouping(Decision decision, StoreSnapshot store, Changing changing) {

    /** Returns when this instance may settle again on the view that it held, in the past for another view. */
    long rejoined(ChangeProgress progress) {
        return changing.last()
                        .filter(held -> held.number() == progress.number())
                        .isPresent()
                ? decision.facts().link().outageOver() + decision.policy().regroupMillis()
                : Long.MIN_VALUE;
    }

    /** Returns when the next view is published although members are awaited. */
    long end(ChangeProgress progress) {
        return progress.since() + decision.policy().regroupMillis();
    }

    /**
     * Returns the ids of the members of the view whose sessions have ended and that are not announced again; empty unless this follows an
     * outage that this instance knows of, or in which the sessions of more than half of the members have ended. The lease probe must show
     * how the members have left.
     */
    Set<String> awaited(Candidates candidates) {
        if (decision.policy().regroupMillis() == 0) {
            return Set.of();
        }
        boolean outage = decision.facts().link().outageOver() >= changing.since();
        Set<String> lost = new LinkedHashSet<>();
        List<Incarnation> members = store.view().map(EstablishedView::members).orElse(List.of());
        for (Incarnation member : members) {
            if (!store.isLive(member.node()) && hasLostSession(member)) {
                lost.add(member.instanceId());
            }
        }
        if (!outage && lost.size() * 2 <= members.size()) {
            return Set.of();
        }
        for (Member candidate : candidates.members()) {
            lost.remove(candidate.instanceId());
        }
        return lost;
    }

    /** An instance that finds its own node of an ended session, or of its last run, removes that node before it is announced again. */
    private boolean hasLostSession(Incarnation member) {
        return store.leaseProbe()
                .flatMap(probe -> probe.of(member.node()))
                .map(leaveRecord -> leaveRecord.by().equals(leaveRecord.node())
                        && (leaveRecord.kind() == Kind.REPLACED || leaveRecord.kind() == Kind.DIED))
                .orElse(true);
    }
}
