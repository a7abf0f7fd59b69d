// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.util.List;
import java.util.Optional;

/**
 * The access rights of nodes in the store, compared with those that this instance gives to new nodes. Texts have the notation of the
 * store; hashes of passwords are masked.
 *
 * @param expected the rights that are configured
 * @param identities the identities by which the store knows this instance; empty when it does not name them
 * @param checked how many nodes were compared
 * @param changed how many of them got the expected rights
 * @param differing how many have other rights
 * @param nodes the first of those, at most {@value #NAMED}
 * @param foreign the first nodes below the root that are none of discovery's, which are neither compared nor changed
 * @param cause why this instance is denied access, or denies it to others, as a sentence; empty when it does not
 */
public record StoreAccess(
        String expected,
        List<String> identities,
        int checked,
        int changed,
        int differing,
        List<Node> nodes,
        List<String> foreign,
        Optional<String> cause) {

    /** How many nodes are named. */
    public static final int NAMED = 20;

    public StoreAccess {
        identities = List.copyOf(identities);
        nodes = List.copyOf(nodes);
        foreign = List.copyOf(foreign);
    }

    /** Returns what an operator must look at, as a sentence; empty if no node differs. */
    public Optional<String> problem() {
        return nodes.stream()
                .findFirst()
                .map(first -> (differing == 1 ? "1 node has" : differing + " nodes have")
                        + " other access rights than the option acl (" + expected + ") gives: " + first.path() + " has "
                        + first.found() + ". "
                        + cause.orElse("When all instances have the same acl, discovery:acl repair sets it."));
    }

    /**
     * A node with other rights.
     *
     * @param path its path
     * @param found its rights, or the word denied when this instance may not see them
     * @param reason why they could not be changed, as a sentence; empty when that was not tried
     */
    public record Node(String path, String found, Optional<String> reason) {}
}
