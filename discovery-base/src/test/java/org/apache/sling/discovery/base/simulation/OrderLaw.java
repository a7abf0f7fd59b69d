// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import java.util.Optional;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.Incarnation;
import org.apache.sling.discovery.testing.memory.MemoryEnsemble;

/** L2: members are ordered by seniority, and newcomers come last. */
final class OrderLaw {

    private static final String LAW = "L2 Order";

    private final MemoryEnsemble ensemble;

    OrderLaw(MemoryEnsemble ensemble) {
        this.ensemble = ensemble;
    }

    void checkPublication(EstablishedView view, Optional<EstablishedView> before) {
        long last = Long.MIN_VALUE;
        boolean newcomers = false;
        for (Incarnation member : view.members()) {
            // A member may have left between the coordinator's last snapshot and the publication.
            long seniority = ensemble.seniority(member.node());
            if (seniority <= last) {
                throw new LawBroken(LAW, view + " is not by seniority");
            }
            last = seniority;
            boolean survivor = before.filter(old -> old.contains(member.node())).isPresent();
            if (survivor && newcomers) {
                throw new LawBroken(LAW, "a newcomer comes before " + member + " in " + view);
            }
            newcomers |= !survivor;
        }
    }
}
