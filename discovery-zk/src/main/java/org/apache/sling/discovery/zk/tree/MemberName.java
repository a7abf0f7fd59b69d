// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.sling.discovery.commons.model.FormatRange;

/**
 * The name of a member node: {@code m-<16 hex>-<oldest format>-<newest format>-<sequence>}. It has the formats of the member
 * for instances that cannot read its record.
 */
public final class MemberName {
    private static final Pattern NAME = Pattern.compile("m-[0-9a-f]{16}-([1-9][0-9]{0,2})-([1-9][0-9]{0,2})-[-0-9]+");
    private static final int DIGITS = 16;
    private static final int UNIQUE_PART = "m-0123456789abcdef-".length();

    private MemberName() {}

    /** Returns a new name without the sequence number that the server appends. */
    static String prefix(long random, FormatRange formats) {
        String digits = Long.toHexString(random);
        return "m-" + "0".repeat(DIGITS - digits.length()) + digits + "-" + formats.oldest() + "-" + formats.newest()
                + "-";
    }

    /** Returns the part of a name that the creator of the node chooses and that no other node has. */
    public static String uniquePart(String name) {
        return name.substring(0, Math.min(UNIQUE_PART, name.length()));
    }

    public static boolean isValid(String name) {
        return formats(name).isPresent();
    }

    /** Returns the formats that a member knows; empty when that is not the name of a member node. */
    public static Optional<FormatRange> formats(String name) {
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        int oldest = Integer.parseInt(matcher.group(1));
        int newest = Integer.parseInt(matcher.group(2));
        return oldest <= newest ? Optional.of(new FormatRange(oldest, newest)) : Optional.empty();
    }
}
