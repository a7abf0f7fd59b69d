// SPDX-License-Identifier: Apache-2.0
/**
 * The back end on ZooKeeper. Nobody else knows ZooKeeper, and this package knows of the rest only the model, the back-end
 * interface and the settling policy.
 *
 * <p>Everything happens on one thread per store, {@link org.apache.sling.discovery.zk.StoreThread}: what the client's event
 * thread hears is queued for it in the order in which it was heard. So there are no locks here and nothing to race.
 */
package org.apache.sling.discovery.zk;
