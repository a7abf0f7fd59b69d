// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.simulation;

import org.apache.sling.discovery.testing.memory.MemoryEnsemble;

/** L12: the store holds the nodes of live instances and a bounded history. */
final class BoundedStoreLaw {

    private static final int HISTORY_LIMIT = 20;

    private final MemoryEnsemble ensemble;

    BoundedStoreLaw(MemoryEnsemble ensemble) {
        this.ensemble = ensemble;
    }

    void check() {
        int bound = 2 * ensemble.members().size() + HISTORY_LIMIT;
        if (ensemble.size() > bound) {
            throw new LawBroken("L12 Bounded store", ensemble.size() + " nodes, at most " + bound + " are needed");
        }
    }
}
