// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.testing.fuzz;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Random changes of valid messages, of which some stay valid. */
public final class Mutations {

    private static final List<String> PIECES = List.of(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\\",
            "\\u",
            "\\ud800",
            "null",
            "true",
            "-",
            "1e999",
            "0x",
            "\u0000",
            "\ufeff",
            "\ud83d",
            "/",
            "=",
            "99999999999999999999",
            "[[[[[[[[[[[[[[[[[[[[",
            "{\"a\":{\"a\":{\"a\":{\"a\":",
            "\"loop\":true,",
            "\"ownerId\":",
            "\"topologyAnnouncements\":[{",
            "\"properties\":{",
            "\"payload\":[");

    private Mutations() {}

    public static String mutated(String text, Random random) {
        StringBuilder mutated = new StringBuilder(text);
        for (int i = random.nextInt(4); i >= 0; i--) {
            int from = random.nextInt(mutated.length() + 1);
            int to = Math.min(mutated.length(), from + random.nextInt(random.nextInt(5) == 0 ? 200 : 4));
            switch (random.nextInt(7)) {
                case 0 -> mutated.delete(from, to);
                case 1 -> mutated.insert(from, PIECES.get(random.nextInt(PIECES.size())));
                case 2 -> mutated.insert(from, mutated.substring(from, to).repeat(1 + random.nextInt(20)));
                case 3 -> mutated.insert(random.nextInt(mutated.length() + 1), mutated.substring(from, to));
                case 4 -> mutated.insert(from, (char) random.nextInt(0x10000));
                case 5 -> mutated.insert(
                        from, PIECES.get(random.nextInt(PIECES.size())).repeat(random.nextInt(1_000)));
                default -> mutated.replace(from, to, PIECES.get(random.nextInt(PIECES.size())));
            }
        }
        return mutated.toString();
    }

    public static byte[] mutated(byte[] bytes, Random random) {
        byte[] mutated = bytes;
        for (int i = random.nextInt(4); i >= 0 && mutated.length > 0; i--) {
            int at = random.nextInt(mutated.length);
            switch (random.nextInt(4)) {
                case 0 -> mutated = Arrays.copyOf(mutated, at);
                case 1 -> mutated = Arrays.copyOf(mutated, mutated.length + random.nextInt(100));
                default -> {
                    mutated = mutated.clone();
                    mutated[at] ^= (byte) (1 << random.nextInt(8));
                }
            }
        }
        return mutated;
    }
}
