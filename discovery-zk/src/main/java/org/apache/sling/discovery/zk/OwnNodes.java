// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import java.util.HashSet;
import java.util.Set;

/**
 * The member nodes that this session has created and not deleted. Each is known by the part of its name that this instance chooses,
 * which needs no reply.
 */
final class OwnNodes {
    private final Set<String> uniqueParts = new HashSet<>();

    /** Adds a node that is about to be created. */
    void add(String node) {
        uniqueParts.add(MemberName.uniquePart(node));
    }

    /** Removes a node and returns whether it was one of them. */
    boolean remove(String node) {
        return uniqueParts.remove(MemberName.uniquePart(node));
    }

    /** Forgets the nodes of an ended session. */
    void clear() {
        uniqueParts.clear();
    }
}
