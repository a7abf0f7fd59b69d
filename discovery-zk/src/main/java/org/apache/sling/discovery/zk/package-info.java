// SPDX-License-Identifier: Apache-2.0
/**
 * The back end on ZooKeeper. Nobody else knows ZooKeeper, and this package knows of the rest only the model, the back-end
 * interface, the settling policy, and the tree of nodes that reports show.
 *
 * <p>Everything happens on one thread per store, {@link org.apache.sling.discovery.zk.StoreThread}: what the client's event
 * thread hears is queued for it in the order in which it was heard. So there are no locks here and nothing to race.
 */
package org.apache.sling.discovery.zk;
