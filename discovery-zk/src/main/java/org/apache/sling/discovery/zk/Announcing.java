// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.sling.discovery.commons.model.MemberRecord;
import org.apache.zookeeper.CreateMode;

/**
 * Creates the member nodes of this session, one at a time, and tells by their names which of them this instance has not deleted
 * itself. Nothing is created while parts of the tree are gone.
 */
final class Announcing {
    private static final int RANDOM_PART = "m-0123456789abcdef-".length();

    private final Replica replica;
    private final Paths paths;

    /** The nodes that this instance has not deleted, by the part of the name that it chooses itself; empty without a reply. */
    private final Map<String, Optional<String>> made = new HashMap<>();

    Announcing(Replica replica, Paths paths) {
        this.replica = replica;
        this.paths = paths;
    }

    CompletableFuture<Void> create(MemberRecord record) throws TooLarge {
        byte[] data = replica.codecs().members().write(record);
        return replica.whenMended().thenCompose(mended -> create(replica.handle(), data));
    }

    private CompletableFuture<Void> create(Handle handle, byte[] data) {
        removeUnseen(handle);
        String path = paths.newMember(
                ThreadLocalRandom.current().nextLong(), replica.codecs().formats());
        String chosen = chosen(Paths.nameOf(path));
        made.put(chosen, Optional.empty());
        return handle.create(path, data, CreateMode.EPHEMERAL_SEQUENTIAL)
                .thenAccept(created -> made.replace(chosen, Optional.of(Paths.nameOf(created))));
    }

    /** Who asks for a node does not see the one it has, as when it cannot be read: without this they would pile up. */
    private void removeUnseen(Handle handle) {
        made.values().forEach(name -> name.ifPresent(node -> handle.delete(paths.member(node))));
        made.clear();
    }

    /** This instance deletes a node, which may be its own. */
    void deletes(String node) {
        made.remove(chosen(node));
    }

    /** Says whether a node that has gone was one of this session's that somebody else has deleted. */
    boolean isRobbedBy(String gone) {
        return made.remove(chosen(gone)) != null;
    }

    /** Forgets the nodes of an ended session. */
    void forget() {
        made.clear();
    }

    private static String chosen(String node) {
        return node.substring(0, Math.min(RANDOM_PART, node.length()));
    }
}
