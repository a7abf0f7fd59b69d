// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import java.util.Optional;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Member;
import org.apache.sling.discovery.testing.memory.MemoryEnsemble;

/** L3: a leader leads until it leaves or is left out. A member that was left out does not rejoin with the same node. */
final class LeaderLaw {

    private static final String LAW = "L3 Leader";

    private final MemoryEnsemble ensemble;
    private final Publications published;

    LeaderLaw(MemoryEnsemble ensemble, Publications published) {
        this.ensemble = ensemble;
        this.published = published;
    }

    void checkPublication(EstablishedView view, Optional<EstablishedView> before) {
        before.ifPresent(old -> checkLead(view, old));
        view.members().stream()
                .filter(member -> published.isLeftOut(member.node()))
                .findFirst()
                .ifPresent(member -> {
                    throw new LawBroken(LAW, member + " was left out and is in " + view);
                });
    }

    private void checkLead(EstablishedView view, EstablishedView before) {
        String leader = before.leader().node();
        boolean lives = ensemble.members().stream().map(Member::node).anyMatch(leader::equals);
        if (!view.leader().equals(before.leader()) && lives && !view.leftOut().contains(leader)) {
            throw new LawBroken(LAW, before.leader() + " lost the lead in " + view + " without having left");
        }
    }
}
