// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.trust;

/** A set of numbers that are evenly distributed. It needs 12 to 24 bytes for each; a set of objects would need about 100. */
final class Fingerprints {
    private static final int SMALLEST = 64;

    /** A number stands at its own place or after it, before the next empty one. Zero is an empty place. */
    private long[] table = new long[SMALLEST];

    private int size;
    private boolean zero;

    boolean contains(long number) {
        return number == 0 ? zero : table[place(table, number)] == number;
    }

    /** Adds a number that is not contained. */
    void add(long number) {
        size++;
        if (number == 0) {
            zero = true;
            return;
        }
        if (size > table.length / 3 * 2) {
            grow();
        }
        table[place(table, number)] = number;
    }

    int size() {
        return size;
    }

    private void grow() {
        long[] greater = new long[table.length * 2];
        for (long number : table) {
            if (number != 0) {
                greater[place(greater, number)] = number;
            }
        }
        table = greater;
    }

    private static int place(long[] table, long number) {
        int place = (int) number & (table.length - 1);
        while (table[place] != 0 && table[place] != number) {
            place = (place + 1) & (table.length - 1);
        }
        return place;
    }
}
