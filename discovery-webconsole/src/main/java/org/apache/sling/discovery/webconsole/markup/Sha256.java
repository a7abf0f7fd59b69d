// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.markup;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The hash function that identifies contents and names. */
public final class Sha256 {
    private static final int ID_LENGTH = 16;

    private Sha256() {}

    public static byte[] digest(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /** Returns an element id for a name of unknown origin. A name always has the same id. */
    public static String elementId(String prefix, String name) {
        byte[] digest = digest(name.getBytes(StandardCharsets.UTF_8));
        return prefix + "-"
                + Base64.getUrlEncoder().withoutPadding().encodeToString(digest).substring(0, ID_LENGTH);
    }
}
