// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.trust;

import io.github.discoveryzk.connectors.wire.InvalidMessage;
import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import io.github.discoveryzk.connectors.wire.MessageBody;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts texts as Sling does since base 2.0.12. It proves nothing about the sender, and each call costs 10,000 rounds of a hash: only
 * a verified message shall be decrypted.
 *
 * <p>Instances may be used by several threads.
 */
public final class Encryption {
    private static final int ITERATIONS = 10_000;
    private static final int KEY_BITS = 128;
    private static final int SALT_BYTES = 9;
    private static final int IV_BYTES = 16;
    /** An object with a payload of three texts in Base64: salt, initial vector and secret. */
    private static final Pattern FORM =
            Pattern.compile("\\s*\\{\\s*\"payload\"\\s*:\\s*\\[\\s*(TEXT)\\s*,\\s*(TEXT)\\s*,\\s*(TEXT)\\s*]\\s*}\\s*"
                    .replace("(TEXT)", "\"([A-Za-z0-9+/]++=*)\""));

    private final String sharedKey;
    private final SecureRandom random;

    /**
     * Prepares for a key.
     *
     * @param sharedKey what both sides share, not empty
     * @param random gives salt and initial vector of each message
     */
    public Encryption(String sharedKey, SecureRandom random) {
        this.sharedKey = sharedKey;
        this.random = random;
    }

    /** Returns the text of a body that only owners of the shared key can read. Each call returns another. */
    public String encrypt(String text) {
        return encrypt(text, bytes(SALT_BYTES), bytes(IV_BYTES));
    }

    String encrypt(String text, byte[] salt, byte[] iv) {
        try {
            byte[] secret = cipher(Cipher.ENCRYPT_MODE, salt, iv).doFinal(text.getBytes(StandardCharsets.UTF_8));
            return "{\"payload\":[\"" + base64(salt) + "\",\"" + base64(iv) + "\",\"" + base64(secret) + "\"]}";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM cannot encrypt", e);
        }
    }

    /**
     * Returns the text that was encrypted.
     *
     * @throws InvalidMessage when it was not encrypted like this, or with another key
     */
    public String decrypt(String body) throws InvalidMessage {
        Matcher parts = FORM.matcher(body);
        if (!parts.matches()) {
            throw invalid("it is not an object with a payload of three texts");
        }
        try {
            byte[] plain = cipher(Cipher.DECRYPT_MODE, decode(parts.group(1)), decode(parts.group(2)))
                    .doFinal(decode(parts.group(3)));
            return MessageBody.decode(plain, StandardCharsets.UTF_8);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw invalid("it is encrypted with another key, or damaged");
        }
    }

    private static byte[] decode(String text) {
        return Base64.getDecoder().decode(text);
    }

    private static InvalidMessage invalid(String why) {
        return new InvalidMessage(Reason.ENCRYPTION, "the message cannot be decrypted: " + why);
    }

    private Cipher cipher(int mode, byte[] salt, byte[] iv) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
        cipher.init(mode, new SecretKeySpec(key(salt), "AES"), new IvParameterSpec(iv));
        return cipher;
    }

    byte[] key(byte[] salt) throws GeneralSecurityException {
        PBEKeySpec spec = new PBEKeySpec(sharedKey.toCharArray(), salt, ITERATIONS, KEY_BITS);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
        } finally {
            spec.clearPassword();
        }
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
