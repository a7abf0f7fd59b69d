// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks.member;

import java.util.concurrent.CompletableFuture;
import org.apache.sling.discovery.commons.spi.AnnouncementBoard;
import org.apache.sling.discovery.commons.spi.ClusterStore;
import org.apache.sling.discovery.commons.spi.Request;
import org.apache.sling.discovery.commons.spi.StoreInspector;
import org.apache.sling.discovery.commons.spi.StoreObserver;

/** A store that holds the announcement back until it is opened, so that a join is measured from a connected client. */
final class AnnouncementGate implements ClusterStore {
    private final ClusterStore store;
    private final CompletableFuture<Void> held = new CompletableFuture<>();
    private final CompletableFuture<Void> opened = new CompletableFuture<>();

    AnnouncementGate(ClusterStore store) {
        this.store = store;
    }

    /** Completes when the announcement is all that is missing. */
    CompletableFuture<Void> held() {
        return held;
    }

    void open() {
        opened.complete(null);
    }

    @Override
    public void open(StoreObserver observer) {
        store.open(observer);
    }

    @Override
    public void request(Request request) {
        if (request instanceof Request.Announce && !opened.isDone()) {
            opened.thenRun(() -> store.request(request));
            held.complete(null);
        } else {
            store.request(request);
        }
    }

    @Override
    public void collect(boolean acknowledgements) {
        store.collect(acknowledgements);
    }

    @Override
    public AnnouncementBoard board() {
        return store.board();
    }

    @Override
    public StoreInspector inspector() {
        return store.inspector();
    }

    @Override
    public void close() {
        store.close();
    }
}
