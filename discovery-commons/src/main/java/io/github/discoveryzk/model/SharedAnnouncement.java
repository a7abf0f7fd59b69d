// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

/**
 * An announcement that a member heard through a connector and shares through the store with all instances below the root, as long as
 * its session lasts.
 * The store does not know what the content means, and does not look into it: it may be large.
 *
 * @param holder the instance id of the member that heard it and shares it
 * @param ownCluster whether the holder is in the local cluster; otherwise it is in another cluster of the same store
 * @param ownerId the id of the instance that made the announcement
 * @param content the announcement, encoded
 */
public record SharedAnnouncement(String holder, boolean ownCluster, String ownerId, Bytes content) {}
