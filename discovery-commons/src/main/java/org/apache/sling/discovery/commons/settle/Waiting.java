// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.settle;

import java.util.Objects;

/**
 * What an instance is waiting for, as data and as a sentence for people.
 *
 * @param reason the kind of thing waited for
 * @param sentence what is being waited for and what happens then
 */
public record Waiting(Reason reason, String sentence) {

    public Waiting {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(sentence, "sentence");
    }

    /** The kinds of things an instance can wait for. */
    public enum Reason {
        /** Nothing: the view is current. */
        NOTHING,
        /** A usable connection to the store. */
        STORE,
        /** Listeners of this instance that have not returned from CHANGING. */
        LISTENERS,
        /** The store showing the own member node. */
        ANNOUNCEMENT,
        /** The end of a rest that is taken because the place in the cluster was lost too often. */
        QUARANTINE,
        /** The end of the lease of an earlier leader that may not have noticed that it is not a member any more. */
        LEASE,
        /** The live instance that has the same id. */
        HOLDER,
        /** The store confirming that this instance hears it. */
        CONFIRMATION,
        /** Members that have not acknowledged. */
        ACKNOWLEDGEMENTS,
        /** The end of the quiet period. */
        QUIET,
        /** The coordinator publishing the next view. */
        PUBLICATION,
        /** The end of the instance. */
        LEAVING
    }
}
