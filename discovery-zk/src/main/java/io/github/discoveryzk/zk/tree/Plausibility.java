// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk.tree;

/**
 * Bounds for numbers in what other clients write. The protocol counts on from a view number, so an absurd one would stop the cluster, even
 * after its writer has left. The bound is relative to the transaction that wrote the number: each publication is a transaction and raises the
 * number by one, so what is counted on from a plausible number is plausible too.
 */
public final class Plausibility {
    /**
     * How far a number may be above its transaction. Numbers begin at a transaction id, and instances remember those of earlier servers,
     * whose transaction ids were higher if they had had more elections: these are counted from bit 32 on.
     */
    private static final long ROOM = 1L << 48;

    private static final int MAX_SESSION_MILLIS = 86_400_000;

    private Plausibility() {}

    /** Returns the session timeout of a record; 0 when it has none. */
    static int sessionTimeout(Fields fields) throws Unreadable {
        long millis = fields.number("sessionTimeout");
        if (millis < 0 || millis > MAX_SESSION_MILLIS) {
            throw new Unreadable("it has a session timeout of " + millis + " ms");
        }
        return (int) millis;
    }

    /** Returns whether a view can have that number, or an instance can know it, at that transaction. */
    public static boolean isNumber(long number, long transaction) {
        return number >= 0 && number - ROOM <= transaction;
    }
}
