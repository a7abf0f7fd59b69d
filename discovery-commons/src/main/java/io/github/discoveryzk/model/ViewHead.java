// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.util.List;
import java.util.Objects;

/**
 * What a view has besides its members.
 *
 * @param number grows by one with each view; the first one is taken from a transaction id of the store, so that numbers grow
 *     even when the tree was deleted in between
 * @param previous the number of the view before, 0 for the first
 * @param token the fencing token of the leadership: the number of the view in which the leader became leader
 * @param sessionTimeoutMillis the longest session timeout of its members, in milliseconds: no lease given under this view is longer
 * @param leaderSinceMillis wall-clock time at which the view of the token was published; for display only
 * @param cause why this view follows the previous one
 * @param publisher the instance id of the coordinator that published it
 */
public record ViewHead(
        long number,
        long previous,
        long token,
        int sessionTimeoutMillis,
        long leaderSinceMillis,
        List<Reason> cause,
        String publisher) {

    private static final int COUNTER_BITS = 32;

    public ViewHead {
        cause = List.copyOf(cause);
        Objects.requireNonNull(publisher, "publisher");
        if (number <= previous || token > number) {
            throw new IllegalArgumentException(
                    "view " + number + " cannot follow view " + previous + " with token " + token);
        }
    }

    /**
     * Returns the number of a view, or a token, so that a person can say it. The upper half of a transaction id of ZooKeeper counts elections:
     * {@code 3·42} is the number 42 of the time after the third one.
     */
    public static String words(long number) {
        long epoch = number >> COUNTER_BITS;
        return epoch <= 0 ? String.valueOf(number) : epoch + "·" + (number & (1L << COUNTER_BITS) - 1);
    }

    static String words(String number) {
        try {
            return words(Long.parseLong(number));
        } catch (NumberFormatException e) {
            // What another client has stored.
            return number;
        }
    }
}
