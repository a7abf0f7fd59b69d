// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.sling.discovery.base.connector.wire.AnnouncedCluster;
import org.apache.sling.discovery.base.connector.wire.Announcement;

/** Makes the messages of an instance, none of which is equal to an earlier one. May be used by any thread. */
final class Messages {
    private final String ownId;
    private final LongSupplier wallClock;
    private final AtomicLong lastCreated = new AtomicLong();

    Messages(String ownId, LongSupplier wallClock) {
        this.ownId = ownId;
        this.wallClock = wallClock;
    }

    /** Returns the announcement of the local cluster and of others, each once. */
    Announcement of(AnnouncedCluster cluster, List<Announcement> others) {
        Set<Object> once = new HashSet<>();
        long created = created();
        return Announcement.of(ownId, created, cluster)
                .withNested(others.stream()
                        .filter(each -> once.add(List.of(each.ownerId(), each.inherited())))
                        .toList())
                .stamped(created);
    }

    /** Returns the announcement of the local cluster alone, before it is sent. */
    Announcement plain(AnnouncedCluster cluster) {
        return Announcement.of(ownId, 0, cluster);
    }

    Announcement loop(long backoffSeconds) {
        return Announcement.loop(ownId, created(), backoffSeconds);
    }

    /** Returns a time that no earlier message has: a peer would take two equal messages for a replay. */
    private long created() {
        long wall = wallClock.getAsLong();
        return lastCreated.updateAndGet(last -> Math.max(wall, last + 1));
    }
}
