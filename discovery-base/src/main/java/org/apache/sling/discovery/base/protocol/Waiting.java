// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.protocol;

import java.util.Objects;
import java.util.Optional;

/**
 * What an instance is waiting for, as data and as a sentence for display.
 *
 * @param reason the kind of reason
 * @param sentence what the instance waits for and what happens then
 * @param countdown what happens at a known time; empty when there is none
 */
public record Waiting(Reason reason, String sentence, Optional<Countdown> countdown) {

    public Waiting {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(sentence, "sentence");
        Objects.requireNonNull(countdown, "countdown");
    }

    /** Makes a waiting without a countdown. */
    Waiting(Reason reason, String sentence) {
        this(reason, sentence, Optional.empty());
    }

    /** Returns the same with a countdown. */
    Waiting until(String what, long at) {
        return new Waiting(reason, sentence, Optional.of(new Countdown(what, at)));
    }

    /**
     * Returns the sentence with the countdown as it is at that time.
     *
     * @param now monotonic milliseconds
     */
    public String words(long now) {
        return sentence + countdown.map(each -> "; " + each.words(now)).orElse("");
    }

    /**
     * An event that happens at a known time unless another one prevents it.
     *
     * @param what words to be completed by a duration, such as "left out in"
     * @param at when, in monotonic milliseconds
     */
    public record Countdown(String what, long at) {
        public Countdown {
            Objects.requireNonNull(what, "what");
        }

        /** Returns the words with the seconds that are left. */
        private String words(long now) {
            return what + " " + Math.max(0, (at - now + 999) / 1_000) + " s";
        }
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
        /** The end of the quarantine after the seniority was lost too often. */
        QUARANTINE,
        /** The end of the lease of an earlier leader that may not have noticed the loss of its seniority. */
        LEASE,
        /** The live instance that has the same id. */
        HOLDER,
        /** Members that read and write other record formats than this instance. */
        FORMAT,
        /** The record of a member that this instance cannot read. */
        UNREADABLE,
        /** A confirmation by the store that this instance is up to date. */
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
