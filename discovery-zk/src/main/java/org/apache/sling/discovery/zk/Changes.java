// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;

/** What a watch event changes, at the cost of one read at most: what can be told from its path is not read. */
final class Changes {
    private final Replica replica;
    private final Paths paths;

    Changes(Replica replica, Paths paths) {
        this.replica = replica;
        this.paths = paths;
    }

    void heard(WatchedEvent event) {
        String path = event.getPath();
        boolean deleted = event.getType() == EventType.NodeDeleted;
        boolean isView = path.equals(paths.view());
        if (isView || path.equals(paths.members()) || path.equals(paths.acks())) {
            if (deleted) {
                replica.partDeleted();
            } else if (isView) {
                viewWritten();
            }
        } else if (Paths.parentOf(path).equals(paths.members())) {
            member(Paths.nameOf(path), deleted);
        } else if (Paths.parentOf(path).equals(paths.acks())) {
            ack(Paths.nameOf(path), deleted);
        }
    }

    private void viewWritten() {
        replica.viewChange(replica.handle().read(paths.view()), (tree, found) -> {
            tree.putView(found);
            tree.view().ifPresent(replica.history()::published);
        });
    }

    private void member(String name, boolean deleted) {
        if (deleted) {
            if (replica.announcing().isRobbedBy(name)) {
                replica.partDeleted();
            }
            replica.change(CompletableFuture.completedFuture(name), Tree::removeMember);
        } else {
            replica.change(
                    Reading.member(replica.handle(), paths, replica.announcing(), name), (tree, read) -> read.to(tree));
        }
    }

    private void ack(String name, boolean deleted) {
        replica.change(CompletableFuture.completedFuture(name), deleted ? Tree::removeAck : Tree::addAck);
    }
}
