// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import java.util.List;
import java.util.Optional;

/**
 * The nodes of the store under the root of the product, read once. Secrets are masked. Times are wall-clock milliseconds since
 * 1970, by the clock of the store.
 *
 * @param readMillis when it was read
 * @param nodes the nodes, parents before their children, children in order of their names
 * @param complete false if there were more nodes than one reading takes
 */
public record StoreTree(long readMillis, List<Node> nodes, boolean complete) {

    public StoreTree {
        nodes = List.copyOf(nodes);
    }

    /**
     * A node.
     *
     * @param path its path, below the root of the connection
     * @param kind what it is for, a word or two such as {@code member} or {@code history entry}; {@code foreign} when it does
     *     not belong to the product
     * @param owner the session that it ends with, as the store writes it (hexadecimal); empty when it persists
     * @param stat what the store keeps of it besides its data
     * @param record its data, decoded; empty when there is none or it cannot be read
     * @param problem why its data cannot be read, a sentence; where access is denied all that the store keeps is 0
     */
    public record Node(
            String path, String kind, Optional<String> owner, Stat stat, List<Field> record, Optional<String> problem) {
        public Node {
            record = List.copyOf(record);
        }
    }

    /**
     * What the store keeps of a node.
     *
     * @param bytes the size of its data
     * @param creation the transaction that created it, as the store writes it (hexadecimal)
     * @param createdMillis when it was created
     * @param modifiedMillis when its data was written last
     * @param version how often its data was written since
     */
    public record Stat(int bytes, String creation, long createdMillis, long modifiedMillis, int version) {}

    /**
     * A field of a record.
     *
     * @param name its name; names of fields inside of fields are joined by dots
     * @param value its value as a text; the elements of a list are put into one, very long values are cut
     */
    public record Field(String name, String value) {}
}
