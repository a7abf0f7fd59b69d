// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.model;

import java.util.Optional;
import java.util.Set;

/**
 * What one reading of the store said about leases and about those who have left.
 *
 * @param renewals grows with each renewal of a lease by a leader; two readings of one number mean that no lease was renewed in
 *     between
 * @param notes what is left of members that have left
 */
public record LeaseProbe(long renewals, Set<DepartureNote> notes) {

    public LeaseProbe {
        notes = Set.copyOf(notes);
    }

    /** Returns how that member has left; empty when its session ended. */
    public Optional<DepartureNote> of(String node) {
        return notes.stream().filter(one -> one.node().equals(node)).findFirst();
    }
}
