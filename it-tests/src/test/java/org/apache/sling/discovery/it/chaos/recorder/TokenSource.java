// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.it.chaos.recorder;

import org.apache.sling.discovery.TopologyView;
import org.apache.sling.discovery.commons.leader.LeaderLease;

/** The source of the fencing token of a view. */
final class TokenSource {

    private TokenSource() {}

    /** Returns the token of the leadership of a view, or 0 where the local instance does not lead it. */
    static long of(TopologyView view) {
        return LeaderLease.of(view).map(LeaderLease::token).orElse(0L);
    }
}
