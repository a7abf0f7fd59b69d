// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;

/** Translates a watch event into the update of the cache. Most updates read one node at most: often the path says it all. */
final class WatchEvents {
    private final Paths paths;
    private final MemberReader members;
    private final ViewReader views;
    private final OwnNodes ownNodes;

    WatchEvents(Paths paths, MemberReader members, ViewReader views, OwnNodes ownNodes) {
        this.paths = paths;
        this.members = members;
        this.views = views;
        this.ownNodes = ownNodes;
    }

    /**
     * Returns the update for an event. The first read that the update needs has been sent when this method returns.
     *
     * @param held the cached slot of the view, if it has all changes before the event
     */
    Update update(Session session, WatchedEvent event, Optional<ViewSlot> held) {
        String path = event.getPath();
        boolean deleted = event.getType() == EventType.NodeDeleted;
        if (path.equals(paths.cluster())) {
            return event.getType() == EventType.NodeDataChanged ? Update.of(clusterId(session)) : Update.NONE;
        }
        boolean isView = path.equals(paths.view());
        if (isView || path.equals(paths.members()) || path.equals(paths.acks())) {
            if (deleted) {
                return Update.DELETED_PART;
            }
            return isView ? Update.ofView(views.read(session, event, held)) : Update.NONE;
        }
        if (Paths.parentOf(path).equals(paths.members())) {
            return member(session, Paths.nameOf(path), deleted);
        }
        if (Paths.parentOf(path).equals(paths.acks())) {
            return Update.of(acknowledgement(Paths.nameOf(path), deleted));
        }
        return Update.NONE;
    }

    private Update member(Session session, String name, boolean deleted) {
        if (!deleted) {
            return Update.of(members.read(session, name));
        }
        boolean deletedByOther = ownNodes.remove(name);
        return new Update(
                deletedByOther,
                false,
                Optional.of(CompletableFuture.completedFuture(nodes -> nodes.removeMember(name))));
    }

    /** A client that restores the tree writes the earlier id over the one that an instance has created in the meantime. */
    private CompletableFuture<NodeChange> clusterId(Session session) {
        return session.read(paths.cluster())
                .thenApply(found -> nodes -> nodes.setClusterId(Bootstrap.clusterId(found, paths)));
    }

    private static CompletableFuture<NodeChange> acknowledgement(String name, boolean deleted) {
        return CompletableFuture.completedFuture(
                deleted ? nodes -> nodes.removeAcknowledgement(name) : nodes -> nodes.addAcknowledgement(name));
    }

    /**
     * What an event changes.
     *
     * @param deletion whether the event belongs to a deletion of the tree, after which everything has to be read again
     * @param view whether the established view changes
     * @param change the change that is being read; empty when nothing of the cache changes
     */
    record Update(boolean deletion, boolean view, Optional<CompletableFuture<NodeChange>> change) {
        static final Update NONE = new Update(false, false, Optional.empty());
        static final Update DELETED_PART = new Update(true, false, Optional.empty());

        static Update of(CompletableFuture<NodeChange> change) {
            return new Update(false, false, Optional.of(change));
        }

        static Update ofView(CompletableFuture<NodeChange> change) {
            return new Update(false, true, Optional.of(change));
        }
    }
}
