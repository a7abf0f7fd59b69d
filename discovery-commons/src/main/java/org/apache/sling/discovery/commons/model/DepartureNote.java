// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.model;

import java.util.Objects;

/**
 * What is left in the store of a member that did not simply lose its session, so that its successor and people know how it
 * left.
 *
 * @param node the member node that was removed
 * @param kind how it left
 * @param by the member node of who removed it, or the node itself
 */
public record DepartureNote(String node, Kind kind, String by) {

    public DepartureNote {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(by, "by");
    }

    /** Returns the departure note of a member that removes its own node. */
    public static DepartureNote own(String node, Kind kind) {
        return new DepartureNote(node, kind, node);
    }

    /** How a member left. */
    public enum Kind {
        /** The instance was stopped. */
        STOPPED("stopped", true),
        /** The instance stood down, to come back at the end of the order. */
        STOOD_DOWN("stood down", true),
        /** The instance itself removed what an earlier session of it, or an earlier place of it, had left. */
        REPLACED("announced itself anew", true),
        /** The process is known to have died; its next run removed the node. */
        DIED("died and was started again", true),
        /** Somebody decided that it has to go. */
        EVICTED("was evicted", false);

        private final String words;
        private final boolean released;

        Kind(String words, boolean released) {
            this.words = words;
            this.released = released;
        }

        /** Returns the predicate of a sentence that has the instance as its subject. */
        public String words() {
            return words;
        }

        /**
         * Says whether nobody acts on a view for that member any more: its listeners had returned, or its process had ended. After
         * any other end its lease may last.
         */
        public boolean isReleased() {
            return released;
        }
    }
}
