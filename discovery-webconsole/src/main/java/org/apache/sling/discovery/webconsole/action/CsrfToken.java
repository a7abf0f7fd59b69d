// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.action;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The token that proves that a page of this console made a form for the user who sends it: another site cannot read the
 * token. It is valid as long as this object exists. May be used from any thread.
 */
final class CsrfToken {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecureRandom random = new SecureRandom();
    private final SecretKeySpec secret;

    CsrfToken() {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        secret = new SecretKeySpec(bytes, ALGORITHM);
    }

    /**
     * Returns a token of a user, another one each time: the length of a compressed page that repeats a part of the request
     * would otherwise tell the token bit by bit.
     */
    String create(String user) {
        byte[] secretPart = sign(user);
        byte[] token = new byte[2 * secretPart.length];
        byte[] mask = new byte[secretPart.length];
        random.nextBytes(mask);
        for (int i = 0; i < mask.length; i++) {
            token[i] = mask[i];
            token[mask.length + i] = (byte) (secretPart[i] ^ mask[i]);
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
    }

    private byte[] sign(String user) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            return mac.doFinal(user.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has " + ALGORITHM, e);
        }
    }

    /** Returns whether a token is one of a user. The check takes the same time for a wrong token. */
    boolean isValid(String user, String token) {
        byte[] bytes = decode(token);
        int length = bytes.length / 2;
        byte[] secretPart = new byte[length];
        for (int i = 0; i < length; i++) {
            secretPart[i] = (byte) (bytes[i] ^ bytes[length + i]);
        }
        return bytes.length % 2 == 0 && MessageDigest.isEqual(sign(user), secretPart);
    }

    private static byte[] decode(String token) {
        try {
            return token == null ? new byte[0] : Base64.getUrlDecoder().decode(token);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }
}
