// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.content;

/**
 * Something that is known.
 *
 * @param name what it is
 * @param value the value
 */
public record Fact(String name, Line value) {

    /** Makes a fact of which the value is a text of unknown origin. */
    public static Fact of(String name, String value) {
        return new Fact(name, Line.line().foreign(value));
    }

    /** Makes a fact of which the value is a time. */
    public static Fact ofTime(String name, long millis) {
        return new Fact(name, Line.line().time(millis));
    }
}
