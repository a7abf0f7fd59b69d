// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import java.util.HashSet;
import java.util.Set;

/**
 * The member nodes that this session has created and not deleted. Each is known by the part of its name that this instance chooses,
 * which needs no reply.
 */
final class OwnNodes {
    private static final int CHOSEN_PART = "m-0123456789abcdef-".length();

    private final Set<String> chosen = new HashSet<>();

    /** Adds a node that is about to be created. */
    void add(String node) {
        chosen.add(chosenPart(node));
    }

    /** Removes a node and returns whether it was one of them. */
    boolean remove(String node) {
        return chosen.remove(chosenPart(node));
    }

    /** Forgets the nodes of an ended session. */
    void clear() {
        chosen.clear();
    }

    private static String chosenPart(String node) {
        return node.substring(0, Math.min(CHOSEN_PART, node.length()));
    }
}
