// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.Locale;
import java.util.Objects;

/**
 * A record in the store of how a member left, written unless its session simply ended, for its successor and for display.
 *
 * @param node the member node that was removed
 * @param kind how it left
 * @param by the member node of the instance that removed it, or the node itself
 * @param afterMillis how long after the end of its connection another member removed it, 0 if none noticed that
 */
public record LeaveRecord(String node, Kind kind, String by, long afterMillis) {

    public LeaveRecord {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(by, "by");
    }

    /** Returns the leave record of a member that removes its own node. */
    public static LeaveRecord own(String node, Kind kind) {
        return new LeaveRecord(node, kind, node, 0);
    }

    /** How a member left. */
    public enum Kind {
        /** The instance was stopped. */
        STOPPED,
        /** The instance stepped down and rejoins at the end of the order. */
        STEPPED_DOWN,
        /** The instance itself removed a node of an earlier session or an earlier seniority of its own. */
        REPLACED,
        /** The process is proven to have died; its next run, or another member, removed the node. */
        DIED,
        /** A member suspected that the process had ended, and the suspicion was not refuted. */
        CRASHED,
        /** An operator evicted it. */
        EVICTED;

        /** Returns how a page and JSON name it. */
        public String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }

        /**
         * Says whether that member is sure to have stopped acting on a view: its listeners had returned, or its process had
         * ended. After any other departure its lease may last.
         */
        public boolean isReleased() {
            return this != EVICTED && this != CRASHED;
        }
    }
}
