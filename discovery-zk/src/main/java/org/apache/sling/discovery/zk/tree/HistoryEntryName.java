// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

/** The name of a history entry: the number of its view, padded so that names sort as numbers do. */
public final class HistoryEntryName {
    private static final int DIGITS = 19;
    private static final String LAST = of(Long.MAX_VALUE);

    private HistoryEntryName() {}

    public static String of(long number) {
        // A formatter would load many classes during the first change.
        String digits = Long.toString(number);
        return "0".repeat(DIGITS - digits.length()) + digits;
    }

    public static boolean isValid(String name) {
        return name.matches("[0-9]{19}") && name.compareTo(LAST) <= 0;
    }

    /** Returns the number of the view; the name must be valid. */
    public static long number(String name) {
        return Long.parseLong(name);
    }
}
