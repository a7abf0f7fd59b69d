// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

import org.apache.sling.discovery.commons.spi.Outcome;

/** Translates the failure of a request into its outcome. */
public final class Outcomes {
    private Outcomes() {}

    /**
     * Returns UNKNOWN when the reply was lost, OVERTAKEN when another client has changed the nodes, and otherwise REFUSED. The detail is a
     * sentence for operators.
     */
    public static Outcome of(Failure failure) {
        if (failure.isUnknown()) {
            return Outcome.unknown("The connection to ZooKeeper was lost before it replied (" + failure.code() + ").");
        }
        return switch (failure.code()) {
            case BADVERSION -> Outcome.overtaken("Another client has written " + failure.path() + " in the meantime.");
            case NONODE -> Outcome.overtaken("The node " + failure.path() + " does not exist any more.");
            case NODEEXISTS -> Outcome.overtaken("The node " + failure.path() + " exists already.");
            case NOAUTH, AUTHFAILED -> Outcome.rejected(
                    "ZooKeeper denies access to " + failure.path() + ". Check the access rights of the root path.");
            case QUOTAEXCEEDED -> Outcome.rejected(
                    "The quota of " + failure.path() + " or of a node above it is exhausted.");
            default -> Outcome.rejected("ZooKeeper replies " + failure.code() + " for " + failure.path() + ".");
        };
    }
}
