// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.exploration;

/** A set of fingerprints that takes little more than 16 bytes for each. */
final class Visited {

    private long[] slots = new long[1 << 14];
    private int size;

    /** Returns whether the fingerprint is new. */
    boolean add(long[] print) {
        if (size * 3L > slots.length) {
            grow();
        }
        int at = find(slots, print[0], print[1]);
        if (slots[at + 1] != 0) {
            return false;
        }
        slots[at] = print[0];
        slots[at + 1] = print[1];
        size++;
        return true;
    }

    private static int find(long[] slots, long one, long two) {
        int mask = slots.length - 1;
        int at = (int) one * 2 & mask;
        while (slots[at + 1] != 0 && (slots[at] != one || slots[at + 1] != two)) {
            at = at + 2 & mask;
        }
        return at;
    }

    private void grow() {
        long[] more = new long[slots.length * 2];
        for (int from = 0; from < slots.length; from += 2) {
            if (slots[from + 1] != 0) {
                int at = find(more, slots[from], slots[from + 1]);
                more[at] = slots[from];
                more[at + 1] = slots[from + 1];
            }
        }
        slots = more;
    }
}
