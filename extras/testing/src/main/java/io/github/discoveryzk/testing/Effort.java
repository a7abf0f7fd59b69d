// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing;

/**
 * How much is done by tests that could go on for ever: enough in each build to guard each law, and much more in the profile {@code
 * thorough}, which sets the system property {@code discovery.thorough}.
 */
public final class Effort {

    private static final boolean THOROUGH = Boolean.getBoolean("discovery.thorough");

    private Effort() {}

    public static boolean isThorough() {
        return THOROUGH;
    }

    /** Returns the number that a system property sets, else the one for each build or the one for the profile. */
    public static int of(String property, int usual, int thorough) {
        return Integer.getInteger(property, THOROUGH ? thorough : usual);
    }
}
