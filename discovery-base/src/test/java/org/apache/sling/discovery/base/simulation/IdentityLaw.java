// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import java.util.HashSet;
import java.util.Set;
import org.apache.sling.discovery.commons.model.EstablishedView;

/** L11: no instance id is twice in a view. */
final class IdentityLaw {

    void checkPublication(EstablishedView view) {
        Set<String> ids = new HashSet<>();
        view.members().forEach(member -> {
            if (!ids.add(member.instanceId())) {
                throw new LawBroken("L11 Identity", member.instanceId() + " is twice in " + view);
            }
        });
    }
}
