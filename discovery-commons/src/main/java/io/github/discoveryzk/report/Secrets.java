// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Decides by name which properties are secret, so that their values are masked wherever they are shown. All code that shows
 * properties of instances uses this class. It does not apply to fields of the product's own records, such as the fencing token
 * of a view.
 */
public final class Secrets {

    /** What is shown in place of a secret. */
    public static final String MASK = "\u2022\u2022\u2022\u2022";

    private static final Pattern BEGIN_OF_WORD =
            Pattern.compile("(?<=[\\p{Ll}0-9])(?=\\p{Lu})|(?<=\\p{Lu})(?=\\p{Lu}\\p{Ll})");
    private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N}]+");
    private static final Pattern SECRET =
            Pattern.compile("password|passwd|passphrase|\\bpass (word|phrase)|\\bpwd\\b|secret(?!ar)|credential"
                    + "|tokens?\\b|private ?keys?\\b|api ?keys?\\b");

    /** The login, as the part of an address before the host. */
    private static final Pattern LOGIN = Pattern.compile("(?<=://)[^/?#@,\\s]+@");

    private Secrets() {}

    /** Says whether a property of that name holds a secret. */
    public static boolean isSecret(String name) {
        String words =
                NO_WORD.matcher(BEGIN_OF_WORD.matcher(name).replaceAll(" ")).replaceAll(" ");
        return SECRET.matcher(words.toLowerCase(Locale.ROOT)).find();
    }

    /**
     * Returns the value as it may be shown: the mask for a secret, otherwise the value itself with names and passwords in
     * addresses masked.
     */
    public static String masked(String name, String value) {
        return isSecret(name) ? MASK : LOGIN.matcher(value).replaceAll(MASK + "@");
    }
}
