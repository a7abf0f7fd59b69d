// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.HashSet;
import java.util.Set;
import org.apache.sling.discovery.zk.tree.Names;

/**
 * The member nodes that this session has created and not deleted. Each is known by the part of its name that this instance chooses,
 * which needs no reply.
 */
public final class OwnNodes {
    private final Set<String> uniqueParts = new HashSet<>();

    /** Adds a node that is about to be created. */
    public void add(String node) {
        uniqueParts.add(Names.uniquePart(node));
    }

    /** Returns whether a node is one of them. */
    boolean contains(String node) {
        return uniqueParts.contains(Names.uniquePart(node));
    }

    /** Removes a node and returns whether it was one of them. */
    public boolean remove(String node) {
        return uniqueParts.remove(Names.uniquePart(node));
    }

    /** Forgets the nodes of an ended session. */
    public void clear() {
        uniqueParts.clear();
    }
}
