// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.benchmarks;

import java.nio.charset.StandardCharsets;

/** Finds values in records without decoding them. */
final class Bytes {

    private Bytes() {}

    /** Returns what follows a pattern up to one of some characters; empty if the pattern is not there. */
    static String after(byte[] text, byte[] pattern, String ends) {
        for (int i = 0; i + pattern.length <= text.length; i++) {
            if (startsWith(text, i, pattern)) {
                int from = i + pattern.length;
                int to = from;
                while (to < text.length && ends.indexOf(text[to]) < 0) {
                    to++;
                }
                return new String(text, from, to - from, StandardCharsets.UTF_8);
            }
        }
        return "";
    }

    private static boolean startsWith(byte[] text, int at, byte[] pattern) {
        for (int i = 0; i < pattern.length; i++) {
            if (text[at + i] != pattern[i]) {
                return false;
            }
        }
        return true;
    }
}
