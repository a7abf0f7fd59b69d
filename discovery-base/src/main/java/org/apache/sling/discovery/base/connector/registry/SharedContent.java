// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.registry;

import org.apache.sling.discovery.base.connector.wire.Announcement;
import org.apache.sling.discovery.base.connector.wire.Message;
import org.apache.sling.discovery.commons.model.SharedAnnouncement;

/**
 * An announcement that an instance shares through the store, as an object.
 *
 * @param holder the instance that holds it
 * @param ownCluster whether the holder is in the local cluster; otherwise it is in another cluster of the same store
 * @param announcement the announcement
 * @param silenceSeconds how long its owner may be silent before it pings again; 0 if the holder pings
 */
public record SharedContent(String holder, boolean ownCluster, Announcement announcement, long silenceSeconds) {

    static SharedContent of(SharedAnnouncement shared, Message message) {
        return new SharedContent(
                shared.holder(), shared.ownCluster(), message.announcement().orElseThrow(), message.backoffSeconds());
    }
}
