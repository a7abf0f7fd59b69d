// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.model;

import java.nio.charset.StandardCharsets;

/**
 * Where shared data is.
 *
 * @param map whether it is a map; otherwise it is a value
 */
public record DataAddress(String scope, String name, boolean map) {

    private static final int LONGEST = 100;

    public DataAddress {
        checked(scope);
        checked(name);
    }

    /**
     * Returns a scope, a name or a key that can be used: 1 to 100 bytes in UTF-8, without control characters.
     *
     * @throws IllegalArgumentException otherwise
     */
    public static String checked(String name) {
        int length = name.getBytes(StandardCharsets.UTF_8).length;
        if (length < 1 || length > LONGEST || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "The name '" + name + "' of shared data cannot be used: it must have 1 to " + LONGEST
                            + " bytes and no control characters.");
        }
        return name;
    }

    /** Returns it for display. */
    @Override
    public String toString() {
        return (map ? "map " : "value ") + scope + "/" + name;
    }
}
