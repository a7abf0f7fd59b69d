// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.tree;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of an announcement's node: {@code a-<16 hex>-<32 hex>}, the session that owns it and a digest of the id of the announcement's
 * owner. So a session has one node for each owner, and recognizes its nodes without a read.
 */
public final class AnnouncementName {
    private static final Pattern NAME = Pattern.compile("a-([0-9a-f]{16})-[0-9a-f]{32}");
    private static final int DIGEST_BYTES = 16;
    private static final int SHOWN_CHARACTERS = 80;

    private AnnouncementName() {}

    public static String of(long session, String ownerId) {
        return prefix(session) + HexFormat.of().formatHex(digest(ownerId), 0, DIGEST_BYTES);
    }

    /** Returns the beginning of the names of all nodes of a session. */
    public static String prefix(long session) {
        return "a-" + HexFormat.of().toHexDigits(session) + "-";
    }

    /** Returns the session of a node; empty when that is not the name of an announcement's node. */
    public static OptionalLong session(String name) {
        Matcher matcher = NAME.matcher(name);
        return matcher.matches()
                ? OptionalLong.of(HexFormat.fromHexDigitsToLong(matcher.group(1)))
                : OptionalLong.empty();
    }

    /** Returns whether that is the name of an announcement's node that this session owns. */
    public static boolean isOwned(String name, long session) {
        OptionalLong named = session(name);
        return named.isPresent() && named.getAsLong() == session && session != 0;
    }

    /** Returns how sentences name an owner: peers choose their ids, so control characters are replaced, and long ids shortened. */
    public static String label(String ownerId) {
        String shown =
                ownerId.length() > SHOWN_CHARACTERS ? ownerId.substring(0, SHOWN_CHARACTERS) + "\u2026" : ownerId;
        return shown.replaceAll("[\\p{Cntrl}\\p{Cf}\\p{Zl}\\p{Zp}]", "?");
    }

    private static byte[] digest(String ownerId) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(ownerId.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
