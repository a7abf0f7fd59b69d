// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.http;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The token that proves that a page of this console made a form for the user who sends it: another site cannot read the
 * token. It is valid as long as this object exists. May be used from any thread.
 */
final class CsrfToken {
    private static final String ALGORITHM = "HmacSHA256";

    /** The length of the random number with which a token begins, in bytes. */
    private static final int RANDOM = 16;

    private final SecureRandom random = new SecureRandom();
    private final SecretKeySpec secret = new SecretKeySpec(randomBytes(32), ALGORITHM);

    private byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /**
     * Returns a token of a user, another one each time: the length of a compressed page that repeats a part of the request
     * would otherwise tell the token bit by bit.
     */
    String create(String user) {
        return sign(randomBytes(RANDOM), user);
    }

    /** Returns a random number and the proof that this object has combined it with a user. */
    private String sign(byte[] number, String user) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            mac.update(number);
            byte[] proof = mac.doFinal(user.getBytes(StandardCharsets.UTF_8));
            byte[] token = Arrays.copyOf(number, RANDOM + proof.length);
            System.arraycopy(proof, 0, token, RANDOM, proof.length);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has " + ALGORITHM, e);
        }
    }

    /** Returns whether a token is one of a user. The check takes the same time for a wrong token. */
    boolean isValid(String user, String token) {
        byte[] number;
        try {
            number = Arrays.copyOf(Base64.getUrlDecoder().decode(token), RANDOM);
        } catch (IllegalArgumentException e) {
            return false;
        }
        byte[] expected = sign(number, user).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(expected, token.getBytes(StandardCharsets.UTF_8));
    }
}
