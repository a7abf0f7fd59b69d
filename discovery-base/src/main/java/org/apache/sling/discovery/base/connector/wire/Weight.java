// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import java.util.Map;
import org.apache.sling.discovery.commons.model.RemoteCluster;

/** Estimates the bytes of memory that an announcement takes as an object, with the clusters that are made of it. */
public final class Weight {
    static final long ANNOUNCEMENT = 400;
    static final long INSTANCE = 300;
    private static final long PROPERTY = 100;
    private static final long TEXT = 56;
    private static final int LAST_OF_ONE_BYTE = 0xFF;

    private Weight() {}

    /** Returns the estimate for an announcement with all that is nested in it. */
    public static long of(Announcement announcement) {
        return announcement.all().mapToLong(each -> of(each.cluster())).sum();
    }

    static long of(RemoteCluster cluster) {
        long weight = ANNOUNCEMENT;
        for (RemoteCluster.RemoteInstance instance : cluster.instances()) {
            weight += INSTANCE + of(instance.instanceId());
            for (Map.Entry<String, String> property : instance.properties().entrySet()) {
                weight += of(property.getKey(), property.getValue());
            }
        }
        return weight;
    }

    static long of(String name, String value) {
        return PROPERTY + of(name) + of(value);
    }

    static long of(String text) {
        boolean wide = text.chars().anyMatch(each -> each > LAST_OF_ONE_BYTE);
        return TEXT + (wide ? 2L : 1L) * text.length();
    }
}
