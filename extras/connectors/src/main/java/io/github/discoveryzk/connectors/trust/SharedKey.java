// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.trust;

import io.github.discoveryzk.connectors.trust.SharedKey.Direction;
import io.github.discoveryzk.connectors.wire.Excerpt;
import io.github.discoveryzk.connectors.wire.InvalidMessage;
import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs messages with a key that both sides share, and verifies what others signed. Which key is derived from it depends on the time:
 * it has a number, which counts the lifetimes of a key since 1970. The keys of now, before and after are accepted, so the clocks of
 * both sides may differ by one lifetime, and both need the same lifetime.
 *
 * <p>A message is verified in three steps, each of which needs the result of the one before: {@link #verify} before the body is
 * read, {@link SignedHash#verify} when it is, and {@link ReplayWindow#admit}. Both requests and replies are verified, and also a
 * DELETE, whose signed text is that of {@link #deletion}.
 *
 * @param secret what both sides share
 * @param lifetime how long a derived key is used
 */
public record SharedKey(String secret, Duration lifetime) {
    private static final Pattern HASH = Pattern.compile("[A-Za-z0-9+/]{43}=");
    private static final Pattern TRUST = Pattern.compile("(\\d{1,10})/([A-Za-z0-9+/]{43}=)");
    private static final Pattern NONCE = Pattern.compile("[A-Za-z0-9-]{1,64}");
    private static final String NO_BODY = "null";

    /**
     * Signs a message. The time that an announcement carries makes its signature unique; two messages of an instance with the same
     * text would count as one that was replayed.
     *
     * @param direction who sends it
     * @param path the path of the request, without host and query; for a reply, that of its request
     * @param text the body as text, encrypted if it will be; for a DELETE the text of {@link #deletion}
     * @param nowMillis the time in milliseconds since 1970
     */
    public TrustHeaders sign(Direction direction, String path, String text, long nowMillis) {
        String hash = hash(direction, path, text);
        int number = keyNumber(nowMillis);
        return new TrustHeaders(hash, number + "/" + signature(number, hash));
    }

    /**
     * Returns the text that is signed for a DELETE, which has no body.
     *
     * @param nonce the header {@link TrustHeaders#NONCE}. Without it, as Sling's clients send it, the second DELETE of an instance
     *     within the lifetime of a key equals the first, and counts as a replay
     * @throws InvalidMessage when it is not 1 to 64 letters, digits or hyphens
     */
    public static String deletion(Optional<String> nonce) throws InvalidMessage {
        if (nonce.isEmpty()) {
            return NO_BODY;
        }
        if (!NONCE.matcher(nonce.get()).matches()) {
            throw untrusted(TrustHeaders.NONCE + " is " + Excerpt.quoted(nonce.get()));
        }
        return NO_BODY + ":" + nonce.get();
    }

    /**
     * Verifies the signature of a message over the hash that it names. What the hash is about is not known yet.
     *
     * @param hash the header {@link TrustHeaders#HASH}
     * @param trust the header {@link TrustHeaders#TRUST}
     * @param nowMillis the time in milliseconds since 1970
     * @throws InvalidMessage when one is missing, or is not what an owner of the key would have written now
     */
    public SignedHash verify(Optional<String> hash, Optional<String> trust, long nowMillis) throws InvalidMessage {
        String givenHash = present(TrustHeaders.HASH, hash);
        String givenTrust = present(TrustHeaders.TRUST, trust);
        Matcher parts = TRUST.matcher(givenTrust);
        if (!HASH.matcher(givenHash).matches() || !parts.matches()) {
            throw untrusted("the headers " + TrustHeaders.HASH + " and " + TrustHeaders.TRUST + " have another form");
        }
        long number = Long.parseLong(parts.group(1));
        int now = keyNumber(nowMillis);
        if (Math.abs(number - now) > 1) {
            throw untrusted("the message is signed with key number " + number + ", and the one of now is " + now
                    + ": it is old, or lifetime of keys or clock of the sender differ");
        }
        if (!equal(signature((int) number, givenHash), parts.group(2))) {
            throw untrusted("the signature is wrong: the shared key differs");
        }
        return new SignedHash(givenHash, (int) number, now);
    }

    private static String present(String name, Optional<String> header) throws InvalidMessage {
        if (header.isEmpty()) {
            throw untrusted("the header " + name + " is missing");
        }
        return header.get();
    }

    private static InvalidMessage untrusted(String text) {
        return new InvalidMessage(Reason.UNTRUSTED, text);
    }

    int keyNumber(long nowMillis) {
        return (int) (nowMillis / lifetime.toMillis());
    }

    static String hash(Direction direction, String path, String text) {
        return base64(sha256(direction.prefix() + path + ":" + text));
    }

    /** Returns the key of that number as Sling uses it: the Base64 text itself. */
    byte[] key(int number) {
        return base64(sha256(secret + number)).getBytes(StandardCharsets.US_ASCII);
    }

    private String signature(int number, String hash) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key(number), "HmacSHA256"));
            return base64(mac.doFinal(hash.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no HmacSHA256", e);
        }
    }

    /** Compares the texts, not what they encode: Base64 has several texts for the same bytes. */
    static boolean equal(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
    }

    /** Names no secret. */
    @Override
    public String toString() {
        return "SharedKey[lifetime=" + lifetime + "]";
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no SHA-256", e);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** The two directions of a message. They are signed differently, so that one cannot be played back as the other. */
    public enum Direction {
        /** From client to server. */
        REQUEST("request:"),
        /** From server to client. */
        REPLY("response:");

        private final String prefix;

        Direction(String prefix) {
            this.prefix = prefix;
        }

        String prefix() {
            return prefix;
        }
    }

    /**
     * The headers of a signed message.
     *
     * @param hash the value of {@link #HASH}
     * @param trust the value of {@link #TRUST}
     */
    public record TrustHeaders(String hash, String trust) {
        /** The header with the hash of the message. */
        public static final String HASH = "X-SlingTopologyHash";

        /** The header with the number of the key and the signature. */
        public static final String TRUST = "X-SlingTopologyTrust";

        /**
         * The header of a DELETE between instances of this product with a text that differs in each message; a peer that does not know it
         * ignores it.
         */
        public static final String NONCE = "X-DiscoveryTopologyNonce";
    }

    /**
     * A hash whose signature is verified. {@link SharedKey#verify} makes it, before the message is read.
     *
     * @param hash the hash of a message that an owner of the shared key has written
     * @param keyNumber the number of the key by which it is signed
     * @param currentNumber the key number of the time at which it was verified
     */
    public record SignedHash(String hash, int keyNumber, int currentNumber) {

        /**
         * Verifies that the hash is that of a message. The path decides too: Sling's client signs the decoded path, so a path with
         * escapes does not fit.
         *
         * @return this hash, for {@link ReplayWindow#admit}
         * @throws InvalidMessage when it is the hash of another message
         */
        public SignedHash verify(Direction direction, String path, String text) throws InvalidMessage {
            if (!SharedKey.equal(SharedKey.hash(direction, path, text), hash)) {
                throw new InvalidMessage(
                        Reason.ALTERED,
                        "the signed hash is that of another message: path or body were changed, or it was sent to another path");
            }
            return this;
        }
    }
}
