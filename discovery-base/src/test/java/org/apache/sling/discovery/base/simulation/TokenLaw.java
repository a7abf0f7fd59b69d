// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import java.util.Optional;
import org.apache.sling.discovery.commons.leader.LeaderLease;
import org.apache.sling.discovery.commons.model.EstablishedView;

/** L7: each leadership has a greater token than all earlier ones, also as seen by an application that acts as leader. */
final class TokenLaw {

    private static final String LAW = "L7 Token";

    private final Publications published;
    private long used;

    TokenLaw(Publications published) {
        this.published = published;
    }

    void checkPublication(EstablishedView view, Optional<EstablishedView> before) {
        boolean goesOn = before.filter(old -> old.number() == published.highestNumber())
                .filter(old -> old.leader().equals(view.leader()))
                .isPresent();
        boolean right = goesOn ? view.token() == before.get().token() : view.token() > published.highestToken();
        if (!right) {
            throw new LawBroken(LAW, view.token() + " after " + published.highestToken() + ", leader same: " + goesOn);
        }
    }

    void checkToken(SimulatedInstance instance) {
        LeaderLease.of(instance.instance().getTopology())
                .filter(LeaderLease::isHeld)
                .ifPresent(lease -> {
                    if (lease.token() < used) {
                        throw new LawBroken(LAW, instance + " acts with " + lease.token() + " after " + used);
                    }
                    used = lease.token();
                });
    }
}
