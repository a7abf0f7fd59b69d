// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Which properties hold what nobody shall read on a page, told from their names. Everybody who shows properties of instances asks
 * this class. Names of records of the product itself, such as the fencing token of a view, are no business of it.
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

    /** Who logs in where, as the part of an address before the host. */
    private static final Pattern LOGIN = Pattern.compile("(?<=://)[^/?#@,\\s]+@");

    private Secrets() {}

    /** Says whether a property of that name holds a secret. */
    public static boolean isSecret(String name) {
        String words =
                NO_WORD.matcher(BEGIN_OF_WORD.matcher(name).replaceAll(" ")).replaceAll(" ");
        return SECRET.matcher(words.toLowerCase(Locale.ROOT)).find();
    }

    /**
     * Returns the value as it may be shown: the mask for that of a secret, the value itself for any other, but for names and
     * passwords in addresses.
     */
    public static String masked(String name, String value) {
        return isSecret(name) ? MASK : LOGIN.matcher(value).replaceAll(MASK + "@");
    }
}
