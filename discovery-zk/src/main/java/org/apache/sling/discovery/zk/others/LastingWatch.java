// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.others;

import java.util.function.Consumer;
import org.apache.sling.discovery.zk.client.Session;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/** A watch that the client renews at each reconnect once the server has confirmed it, so that it is sent only once for each session. */
final class LastingWatch {
    private final String path;
    private final AddWatchMode mode;
    private final Consumer<WatchedEvent> changed;

    private Session session;
    private Watcher watcher;
    private boolean confirmed;

    /**
     * Creates a watch that is not set.
     *
     * @param changed gets the events of the last session
     */
    LastingWatch(String path, AddWatchMode mode, Consumer<WatchedEvent> changed) {
        this.path = path;
        this.mode = mode;
        this.changed = changed;
    }

    /** Sets the watch, unless the session has it. */
    void set(Session asked) {
        if (session != asked) {
            session = asked;
            confirmed = false;
            watcher = asked.watcher(event -> {
                if (session == asked) {
                    changed.accept(event);
                }
            });
        }
        if (!confirmed) {
            asked.watch(path, watcher, mode).thenRun(() -> confirmed |= session == asked);
        }
    }

    /** Ends the watch. A failure to end it does no harm. */
    void end() {
        if (session != null) {
            session.unwatch(path);
            session = null;
        }
    }
}
