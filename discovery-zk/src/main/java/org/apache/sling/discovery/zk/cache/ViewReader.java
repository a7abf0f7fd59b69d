// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.commons.model.EstablishedView;
import org.apache.sling.discovery.commons.model.ViewSlot;
import org.apache.sling.discovery.zk.client.Failure;
import org.apache.sling.discovery.zk.client.NodeData;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.sling.discovery.zk.tree.Codecs;
import org.apache.sling.discovery.zk.tree.HistoryEntryName;
import org.apache.sling.discovery.zk.tree.Paths;
import org.apache.sling.discovery.zk.tree.Unreadable;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;

/**
 * Reads the established view after a watch event. If possible it reads only the history entry of the next view, which has the
 * difference between the two views and does not grow with the number of members.
 */
final class ViewReader {
    private final Paths paths;
    private final Codecs codecs;

    ViewReader(Paths paths, Codecs codecs) {
        this.paths = paths;
        this.codecs = codecs;
    }

    /**
     * Reads what an event of the view's node reports.
     *
     * @param held the cached slot, which has all changes before that event; empty when there is none
     */
    CompletableFuture<NodeChange> read(Session session, WatchedEvent event, Optional<ViewSlot> held) {
        Optional<EstablishedView> view = held.flatMap(ViewSlot::view);
        if (view.isEmpty() || event.getType() != EventType.NodeDataChanged) {
            return readWhole(session);
        }
        CompletableFuture<Long> written = writtenBy(session, event);
        return session.read(paths.historyEntry(HistoryEntryName.of(view.get().number() + 1)))
                .thenCombine(written, (entry, transaction) -> next(held.get(), view.get(), entry, transaction))
                .exceptionallyCompose(thrown -> Failure.of(thrown).isUnknown()
                        ? CompletableFuture.failedFuture(Failure.of(thrown))
                        : CompletableFuture.completedFuture(Optional.empty()))
                .thenCompose(next -> next.isEmpty()
                        ? readWhole(session)
                        : CompletableFuture.completedFuture(nodes -> nodes.putNextView(held.get(), next.get())));
    }

    private CompletableFuture<NodeChange> readWhole(Session session) {
        return session.read(paths.view()).thenApply(found -> nodes -> nodes.putView(found));
    }

    /** Returns the transaction that wrote the view. Servers before version 3.9 do not tell it with the event. */
    private CompletableFuture<Long> writtenBy(Session session, WatchedEvent event) {
        return event.getZxid() == WatchedEvent.NO_ZXID
                ? session.exists(paths.view()).thenApply(Stat::getMzxid)
                : CompletableFuture.completedFuture(event.getZxid());
    }

    /**
     * Returns the slot with the next view. Empty when the entry was not written by the transaction that wrote the view, cannot be read
     * or does not fit.
     */
    private Optional<ViewSlot> next(ViewSlot held, EstablishedView view, NodeData entry, long transaction) {
        if (entry.stat().getMzxid() != transaction) {
            return Optional.empty();
        }
        try {
            return codecs.views()
                    .readEntry(entry.data())
                    .difference()
                    .applyTo(view)
                    .map(next -> new ViewSlot(held.version() + 1, transaction, 0, Optional.of(next)));
        } catch (Unreadable e) {
            return Optional.empty();
        }
    }
}
