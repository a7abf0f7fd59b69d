// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.data;

import io.github.discoveryzk.model.DataRecord;
import io.github.discoveryzk.spi.DataStore.Stored;
import io.github.discoveryzk.zk.client.NodeData;
import io.github.discoveryzk.zk.tree.DataRecords;
import io.github.discoveryzk.zk.tree.Unreadable;
import java.util.Optional;
import org.apache.zookeeper.data.Stat;

/**
 * A node as it was read or written.
 *
 * @param version how often its data was written since its creation; ZooKeeper compares nothing else
 * @param session the session that it ends with; 0 if it stays
 * @param length how many bytes it has
 * @param stored its content with the transaction that wrote it
 */
record Node(int version, long session, int length, Stored stored) {

    static Node of(String path, NodeData found) {
        return of(
                path,
                found.data(),
                found.stat(),
                found.stat().getVersion(),
                found.stat().getEphemeralOwner());
    }

    /**
     * Returns a node. Data beyond the limit is not kept, because a foreign client may write any number of such nodes.
     *
     * @param stat has the transaction that wrote it
     */
    static Node of(String path, byte[] data, Stat stat, int version, long session) {
        int length = data.length;
        byte[] kept = length > DataRecords.LIMIT ? new byte[0] : data;
        return new Node(
                version,
                session,
                length,
                new Stored(stat.getMzxid(), stat.getMtime(), () -> decode(path, kept, length)));
    }

    private static DataRecord decode(String path, byte[] data, int length) {
        try {
            if (data.length < length) {
                throw new Unreadable("it takes " + length + " bytes, more than the " + DataRecords.LIMIT
                        + " that shared data may take in a node");
            }
            return DataRecords.read(data);
        } catch (Unreadable e) {
            throw new IllegalArgumentException("What is in " + path + " cannot be read: " + e.getMessage()
                    + ". Find out which client wrote it, and write it again.");
        }
    }

    boolean isEmpty() {
        return length == 0;
    }

    long transaction() {
        return stored.version();
    }

    /**
     * A value, or an entry of a map, at one instant. Its data version identifies a write only together with that of its folder, because a
     * node that is created again begins with the same versions.
     *
     * @param folder the folder of the map, whose data version counts the creations in it; for a value the node itself
     * @param entry empty if there is nothing; a value whose node has no data is none
     */
    record State(Optional<Node> folder, Optional<Node> entry) {
        static State ofValue(Optional<Node> node) {
            return new State(node, node.filter(found -> !found.isEmpty()));
        }
    }
}
