// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.spi;

import io.github.discoveryzk.report.Concern;

/**
 * The outcome of a request.
 *
 * @param status whether it took effect
 * @param detail why it did not, for display; empty when it did
 * @param concern what a rejection is about; {@link Concern#OTHER} when that is not known, and for other outcomes
 */
public record Outcome(Status status, String detail, Concern concern) {

    /** The request took effect. */
    public static final Outcome DONE = new Outcome(Status.DONE, "", Concern.OTHER);

    public static Outcome rejected(String detail) {
        return rejected(Concern.OTHER, detail);
    }

    public static Outcome rejected(Concern concern, String detail) {
        return new Outcome(Status.REJECTED, detail, concern);
    }

    public static Outcome overtaken(String detail) {
        return new Outcome(Status.OVERTAKEN, detail, Concern.OTHER);
    }

    public static Outcome unknown(String detail) {
        return new Outcome(Status.UNKNOWN, detail, Concern.OTHER);
    }

    /** Whether a request took effect. */
    public enum Status {
        /** The request took effect. */
        DONE,
        /**
         * It did not: the store had changed before it arrived. This is a normal outcome; the next snapshot shows the change.
         */
        OVERTAKEN,
        /** It did not, and will not until an operator fixes the problem in the detail. */
        REJECTED,
        /**
         * The reply was lost: the request may have taken effect, or may do so later. The next snapshot after the reconnect
         * shows it.
         */
        UNKNOWN
    }
}
