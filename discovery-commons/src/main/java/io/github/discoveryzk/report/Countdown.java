// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

/**
 * An event that happens at a known time unless another one prevents it.
 *
 * @param what words to be completed by a duration, such as "excluded in"
 * @param atMillis when
 */
public record Countdown(String what, long atMillis) {

    /** Returns the words with the seconds that are left. */
    public String words(long millis) {
        return what + " " + Math.max(0, (atMillis - millis + 999) / 1_000) + " s";
    }
}
