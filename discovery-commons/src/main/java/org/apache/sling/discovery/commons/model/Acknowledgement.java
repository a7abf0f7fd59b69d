// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.model;

import java.util.Objects;

/**
 * Says that a member has left a view behind: all its listeners have returned from CHANGING. It can never be taken back.
 *
 * @param node the member node of who acknowledges
 * @param number the number of the view left behind
 */
public record Acknowledgement(String node, long number) {

    public Acknowledgement {
        Objects.requireNonNull(node, "node");
    }
}
