// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.sling.discovery.commons.model.DepartureNote.Kind;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.commons.model.StoreSnapshot;

/**
 * What follows an outage: most sessions of a view have ended without any instance having left, so the instances are likely to be back within
 * a moment of each other. Without a wait, the first one that is back publishes a view of itself.
 */
final class Regrouping {

    private Regrouping() {}

    /**
     * Returns the ids of the members of the view whose sessions have ended and that are not announced again; empty unless this follows an
     * outage. The lease probe must show how the members have left.
     *
     * @param outage whether this instance knows of an outage; otherwise one is assumed if the sessions of more than half of the members
     *     have ended
     */
    static Set<String> awaited(StoreSnapshot store, Candidates candidates, boolean outage) {
        Set<String> lost = new LinkedHashSet<>();
        List<Incarnation> members = store.view().map(EstablishedView::members).orElse(List.of());
        for (Incarnation member : members) {
            if (!store.isLive(member.node()) && hasLostSession(store, member)) {
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
    private static boolean hasLostSession(StoreSnapshot store, Incarnation member) {
        return store.leaseProbe()
                .flatMap(probe -> probe.of(member.node()))
                .map(note -> note.kind() == Kind.REPLACED || note.kind() == Kind.DIED)
                .orElse(true);
    }
}
