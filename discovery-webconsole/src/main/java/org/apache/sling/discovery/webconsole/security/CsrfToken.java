// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.security;

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
public final class CsrfToken {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec secret;

    public CsrfToken() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        secret = new SecretKeySpec(bytes, ALGORITHM);
    }

    /** Returns the token of a user. */
    public String create(String user) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(mac.doFinal(user.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has " + ALGORITHM, e);
        }
    }

    /** Returns whether a token is the one of a user. The check takes the same time for a wrong token. */
    public boolean isValid(String user, String token) {
        return token != null
                && MessageDigest.isEqual(
                        create(user).getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }
}
