// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.cache;

/** A change of the cached nodes, made of what the store has replied. */
@FunctionalInterface
interface NodeChange {
    void applyTo(ClusterNodes nodes);
}
