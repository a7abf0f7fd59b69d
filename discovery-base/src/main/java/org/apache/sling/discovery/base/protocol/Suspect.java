// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import java.util.Objects;

/**
 * Another member whose process seems to have ended.
 *
 * @param node its member node
 * @param ended whether the end of the process is proven: its pid with its start time is gone in the same pid namespace of the
 *     same host
 */
public record Suspect(String node, boolean ended) {

    public Suspect {
        Objects.requireNonNull(node, "node");
    }
}
