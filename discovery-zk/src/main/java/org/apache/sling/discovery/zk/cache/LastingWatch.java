// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

import org.apache.sling.discovery.zk.client.Session;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.Watcher;

/** A watch that the client renews at each reconnect once the server has confirmed it, so that it is sent only once for each session. */
final class LastingWatch {
    private final String path;
    private final AddWatchMode mode;

    private Session session;
    private boolean confirmed;

    LastingWatch(String path, AddWatchMode mode) {
        this.path = path;
        this.mode = mode;
    }

    /**
     * Sets the watch, unless the session has it.
     *
     * @param watcher gets the events of that session
     */
    void set(Session asked, Watcher watcher) {
        if (session != asked) {
            session = asked;
            confirmed = false;
        }
        if (!confirmed) {
            asked.watch(path, watcher, mode).thenRun(() -> confirmed |= session == asked);
        }
    }

    /** Ends the watch. A failure to end it does no harm. */
    void end() {
        if (session != null) {
            confirmed = false;
            session.unwatch(path);
        }
    }
}
