// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.sling.discovery.base.connector.wire.AnnouncedCluster;
import org.apache.sling.discovery.base.connector.wire.AnnouncedInstance;
import org.apache.sling.discovery.base.connector.wire.Announcement;

/** Announcements for tests. */
public final class Told {

    private Told() {}

    /** A cluster whose first instance leads. */
    public static AnnouncedCluster cluster(String id, String... instances) {
        return new AnnouncedCluster(
                id,
                IntStream.range(0, instances.length)
                        .mapToObj(i -> new AnnouncedInstance(instances[i], i == 0, Map.of("of", id)))
                        .toList());
    }

    /** What an instance tells of its cluster. */
    public static Announcement by(String owner, AnnouncedCluster cluster, Announcement... nested) {
        return Announcement.of(owner, 1, cluster).withNested(List.of(nested));
    }

    /** What the only instance of a cluster tells. */
    public static Announcement single(String id, Announcement... nested) {
        return by(id, cluster("cluster-" + id, id), nested);
    }

    public static List<String> owners(Announcement announcement) {
        return announcement.nested().stream().map(Announcement::ownerId).toList();
    }
}
