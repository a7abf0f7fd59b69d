// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import java.util.List;
import java.util.Optional;

/**
 * The access rights of nodes in the store, compared with those that this instance gives to new nodes. Texts have the notation of the
 * store; hashes of passwords are masked.
 *
 * @param expected the rights that are configured
 * @param identity the identities by which the store knows this instance
 * @param checked how many nodes were compared
 * @param changed how many of them got the expected rights
 * @param differing how many have other rights
 * @param nodes the first nodes with other rights, and those that are none of discovery's, at most {@value #NAMED}
 */
public record StoreAccess(
        String expected, String identity, int checked, int changed, int differing, List<DifferingNode> nodes) {

    /** How many nodes are named. */
    public static final int NAMED = 20;

    public StoreAccess {
        nodes = List.copyOf(nodes);
    }

    /** Returns the numbers, for display. */
    public String words() {
        return differing + " of " + checked + " nodes differ from " + expected
                + (changed == 0 ? "" : ", " + changed + " were set") + "; this instance is " + identity;
    }

    /** Returns what an operator must look at, as a sentence; empty if no node differs. */
    public Optional<String> problem() {
        return nodes.stream()
                .filter(node -> differing > 0)
                .findFirst()
                .map(first -> "The access rights of " + words() + ". " + first.path() + " has " + first.found() + ". "
                        + "All instances need one identity, because they write and delete the nodes of each other: give them"
                        + " the same credentials, or list the identities of all in acl. "
                        + (expected.equals("open")
                                ? ""
                                : "Set acl=open here until they have that: the others cannot settle on a view with this"
                                        + " instance. ")
                        + "When they have that, discovery:acl repair sets the rights.");
    }

    /**
     * A node that is named.
     *
     * @param path its path
     * @param found its rights; the word denied when this instance may not see them, or foreign when the node is none of discovery's
     * @param reason why it was not changed, as a sentence; empty when that was not tried
     */
    public record DifferingNode(String path, String found, Optional<String> reason) {}
}
