// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.spi;

import java.util.Objects;

/**
 * What became of a request.
 *
 * @param status whether it took effect
 * @param detail why it did not, for people; empty when it was done
 */
public record Outcome(Status status, String detail) {

    /** The request took effect. */
    public static final Outcome DONE = new Outcome(Status.DONE, "");

    public Outcome {
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(detail, "detail");
    }

    public static Outcome refused(String detail) {
        return new Outcome(Status.REFUSED, detail);
    }

    public static Outcome overtaken(String detail) {
        return new Outcome(Status.OVERTAKEN, detail);
    }

    public static Outcome unknown(String detail) {
        return new Outcome(Status.UNKNOWN, detail);
    }

    /** Whether a request took effect. */
    public enum Status {
        /** It did. */
        DONE,
        /** It did not: the store had changed before it came. The next snapshot shows how; this is the rule of the game. */
        OVERTAKEN,
        /** It did not, and will not until somebody mends what the detail tells. */
        REFUSED,
        /** The reply was lost: it may have, or may yet. The next snapshot after the reconnect tells. */
        UNKNOWN
    }
}
