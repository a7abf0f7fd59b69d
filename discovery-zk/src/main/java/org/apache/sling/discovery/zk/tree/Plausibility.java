// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.sling.discovery.commons.model.MemberRecord;

/**
 * Bounds for numbers that others have written. A number that the protocol counts on from must leave room for counting: an absurd
 * one would otherwise stop the cluster, and outlive who wrote it.
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

    /** Returns the record without what cannot be true. */
    public static MemberRecord correct(MemberRecord record) {
        return isNumber(record.voidUpTo())
                ? record
                : record.withProtocolFields(OptionalLong.empty(), record.waitingFor());
    }

    /** Says what of a record is not believed; empty when all of it is. */
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
