// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Another cluster of the topology, as its own members have settled it. The local cluster does not settle it, and no decision about the local
 * cluster depends on it.
 *
 * @param id the id of the cluster
 * @param instances its instances in their order, at least one; no id occurs twice
 * @param leader the instance id of its leader, one of them
 * @param way the ids of the instances through which it was learned of, from the member that holds the announcement, of the local
 *     cluster or of one in the same store, to the instance that made it; empty when the clusters are in the same store
 */
public record RemoteCluster(String id, List<RemoteInstance> instances, String leader, List<String> way) {

    public RemoteCluster {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(leader, "leader");
        instances = List.copyOf(instances);
        way = List.copyOf(way);
        Set<String> ids = new HashSet<>();
        for (RemoteInstance instance : instances) {
            if (!ids.add(instance.instanceId())) {
                throw new IllegalArgumentException("cluster " + id + " has " + instance.instanceId() + " twice");
            }
        }
        if (!ids.contains(leader)) {
            throw new IllegalArgumentException("the leader " + leader + " is not an instance of cluster " + id);
        }
    }

    /** Creates a cluster of the same store. */
    public RemoteCluster(String id, List<RemoteInstance> instances, String leader) {
        this(id, instances, leader, List.of());
    }

    /** Says whether both are the same but for the way by which they were learned of, of which no listener is notified. */
    public boolean sameContent(RemoteCluster other) {
        return id.equals(other.id) && leader.equals(other.leader) && instances.equals(other.instances);
    }

    /** Returns the ids of the instances, in their order. */
    public List<String> instanceIds() {
        return instances.stream().map(RemoteInstance::instanceId).toList();
    }

    /**
     * An instance of another cluster.
     *
     * @param instanceId its id
     * @param properties its properties
     */
    public record RemoteInstance(String instanceId, Map<String, String> properties) {

        public RemoteInstance {
            Objects.requireNonNull(instanceId, "instanceId");
            properties = Map.copyOf(properties);
        }
    }
}
