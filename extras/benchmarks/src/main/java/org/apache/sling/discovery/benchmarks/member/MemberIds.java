// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks.member;

/** The ids of members: the key of the contestant, the kind of the member and its number. */
public final class MemberIds {
    private static final String LIGHT = "-light-";

    private MemberIds() {}

    public static String of(Contestant contestant, int number, boolean light) {
        return contestant + (light ? LIGHT : "-") + number;
    }

    public static boolean isLight(String id) {
        return id.contains(LIGHT);
    }

    public static int number(String id) {
        return Integer.parseInt(id.substring(id.lastIndexOf('-') + 1));
    }
}
