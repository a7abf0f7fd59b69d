// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.apache.sling.discovery.base.connector.wire.AnnouncementCodec;
import org.apache.sling.discovery.base.connector.wire.Excerpt;
import org.apache.sling.discovery.base.connector.wire.WireLimits;
import org.apache.sling.discovery.commons.model.RemoteCluster;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is announced of the local cluster: all that peers accept. Used by one thread at a time. */
final class LocalAnnouncement {
    private static final Logger LOG = LoggerFactory.getLogger(LocalAnnouncement.class);
    private static final int MAX_NAMES_CHARACTERS = 1_000;

    private final AnnouncementCodec codec;

    /** The names of the properties that are not announced, by instance. */
    private Map<String, Set<String>> excluded = Map.of();

    /** Begins within the limits of what may be written. */
    LocalAnnouncement(WireLimits limits) {
        this.codec = new AnnouncementCodec(limits);
    }

    /** Returns the cluster of a view. */
    RemoteCluster of(ClusterView view) {
        RemoteCluster cluster = new RemoteCluster(
                view.getId(),
                view.getInstances().stream()
                        .map(each -> Announcement.announceable(each.getSlingId(), each.getProperties()))
                        .toList(),
                view.getLeader().getSlingId());
        RemoteCluster fitting = codec.fitting(cluster);
        warnOfExcluded(cluster, fitting);
        return fitting;
    }

    private void warnOfExcluded(RemoteCluster cluster, RemoteCluster fitting) {
        Map<String, Set<String>> names = new TreeMap<>();
        for (int i = 0; i < cluster.instances().size(); i++) {
            Set<String> left =
                    new TreeSet<>(cluster.instances().get(i).properties().keySet());
            left.removeAll(fitting.instances().get(i).properties().keySet());
            if (!left.isEmpty()) {
                names.put(cluster.instances().get(i).instanceId(), left);
            }
        }
        if (!names.isEmpty() && !names.equals(excluded)) {
            LOG.warn(
                    "Peers would refuse messages with so many or so long properties; omitted: {}. Provide less",
                    Excerpt.printable(names.toString(), MAX_NAMES_CHARACTERS));
        }
        excluded = names;
    }
}
