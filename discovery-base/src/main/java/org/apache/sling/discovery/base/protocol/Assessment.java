// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import org.apache.sling.discovery.commons.model.StoreSnapshot;

/**
 * What follows from the members and the view of a snapshot, whatever else it shows. It costs as much as there are members, so it is made
 * once for all snapshots that differ in acknowledgements or lease probes only.
 *
 * @param candidates the members that the next view would have
 * @param agreed whether the established view stands for these candidates; false without a view
 */
record Assessment(Candidates candidates, boolean agreed) {

    static Assessment of(StoreSnapshot store) {
        return store.conclusion(Assessment.class, Assessment::make);
    }

    private static Assessment make(StoreSnapshot store) {
        Candidates candidates = new Admission(store).candidates();
        return new Assessment(
                candidates, store.view().filter(candidates::agreeWith).isPresent());
    }
}
