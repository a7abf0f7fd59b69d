// SPDX-License-Identifier: Apache-2.0
/**
 * The back end on ZooKeeper: its configuration, its service and the store. Only this bundle knows ZooKeeper. Of the other bundles it
 * uses the model, the interface for back ends and the data of reports.
 *
 * <p>A store does everything on one thread, {@link io.github.discoveryzk.zk.client.StoreThread}. Events and replies of the
 * client are queued for it in the order in which the client reported them, so no class below needs a lock unless it says so.
 *
 * <p>The packages, from the bottom: {@code client} keeps a session, {@code tree} defines the nodes and their records, {@code cache}
 * keeps the nodes of the cluster in memory, {@code others} follows the other clusters and the announcements of all, {@code requests}
 * carries out what the instance requests, and {@code inspect} reads the store for display.
 */
package io.github.discoveryzk.zk;
