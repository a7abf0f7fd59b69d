// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.Objects;

/**
 * One stay of an instance in the cluster, from the creation of its member node to the node's end. An instance that
 * leaves, or that is excluded from a view, rejoins as another incarnation, at the end of the order.
 *
 * @param node the name of the member node; unique in the cluster, never null
 * @param instanceId the id of the instance whose stay it is, never null
 */
public record Incarnation(String node, String instanceId) {

    public Incarnation {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(instanceId, "instanceId");
    }
}
