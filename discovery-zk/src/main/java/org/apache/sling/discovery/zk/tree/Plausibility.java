// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.sling.discovery.commons.model.MemberRecord;

/**
 * Bounds for numbers in the records of other members. The protocol counts on from a view number, so that number must leave room for
 * counting. An implausible number would otherwise stop the cluster, even after its writer has left.
 */
public final class Plausibility {
    /** Above any number that a view can have; leaves room for counting on. */
    static final long HIGHEST_NUMBER = Long.MAX_VALUE / 2;

    /** The highest number of a view that a member or a history entry can name; views are counted on from it. */
    static final long HIGHEST_NAMED = HIGHEST_NUMBER / 2;

    private static final int LONGEST_SESSION_MILLIS = 86_400_000;

    private Plausibility() {}

    static boolean isSessionTimeout(int millis) {
        return millis >= 0 && millis <= LONGEST_SESSION_MILLIS;
    }

    /** Returns the record without implausible numbers. */
    public static MemberRecord correct(MemberRecord record) {
        return isNumber(record.voidUpTo())
                ? record
                : record.withProtocolFields(OptionalLong.empty(), record.waitingFor());
    }

    /** Returns what is implausible in a record, as a clause; empty when all is plausible. */
    public static Optional<String> problem(MemberRecord record) {
        return isNumber(record.voidUpTo())
                ? Optional.empty()
                : Optional.of("it names the view number " + record.voidUpTo().getAsLong()
                        + ", which no view can have; that number is ignored");
    }

    private static boolean isNumber(OptionalLong number) {
        return number.orElse(0) >= 0 && number.orElse(0) <= HIGHEST_NAMED;
    }
}
