// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.zookeeper.CreateMode;

/**
 * Creates the member nodes of this session and tells by their names which of them this instance has not deleted itself. Nothing is
 * created while parts of the tree are gone.
 */
final class Announcing {
    private static final int RANDOM_PART = "m-0123456789abcdef-".length();

    private final Replica replica;
    private final Paths paths;

    /** The parts that this instance chooses of the names of its nodes: they are known without a reply. */
    private final Set<String> made = new HashSet<>();

    Announcing(Replica replica, Paths paths) {
        this.replica = replica;
        this.paths = paths;
    }

    CompletableFuture<String> create(MemberRecord record) throws TooLarge {
        byte[] data = replica.codecs().members().write(record);
        return replica.whenMended().thenCompose(mended -> create(replica.handle(), data));
    }

    private CompletableFuture<String> create(Handle handle, byte[] data) {
        String path = paths.newMember(
                ThreadLocalRandom.current().nextLong(), replica.codecs().formats());
        made.add(chosen(Paths.nameOf(path)));
        return handle.create(path, data, CreateMode.EPHEMERAL_SEQUENTIAL);
    }

    /** This instance deletes a node, which may be its own. */
    void deletes(String node) {
        made.remove(chosen(node));
    }

    /** Says whether a node is one of this session's that this instance has not deleted. */
    boolean isOwn(String node) {
        return made.contains(chosen(node));
    }

    /** Says whether a node that has gone was one of this session's that another client has deleted. */
    boolean isRobbedBy(String gone) {
        return made.remove(chosen(gone));
    }

    /** Forgets the nodes of an ended session. */
    void forget() {
        made.clear();
    }

    private static String chosen(String node) {
        return node.substring(0, Math.min(RANDOM_PART, node.length()));
    }
}
