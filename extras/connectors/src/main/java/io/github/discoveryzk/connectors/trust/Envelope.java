// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.trust;

import io.github.discoveryzk.connectors.trust.SharedKey.Direction;
import io.github.discoveryzk.connectors.trust.SharedKey.SignedHash;
import io.github.discoveryzk.connectors.trust.SharedKey.TrustHeaders;
import io.github.discoveryzk.connectors.wire.AnnouncementCodec;
import io.github.discoveryzk.connectors.wire.InvalidMessage;
import io.github.discoveryzk.connectors.wire.Message;
import io.github.discoveryzk.connectors.wire.MessageBody;
import io.github.discoveryzk.connectors.wire.WireLimits;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Writes messages so that the other side believes them, and reads those of the other side in the order in which they become trustworthy:
 * the signature over the hash, before the body is read; the hash of the body; whether the message came before; the encrypted text.
 *
 * <p>Instances may be used by several threads.
 */
public final class Envelope {
    private final Optional<SharedKey> key;
    private final Optional<Encryption> encryption;
    private final AnnouncementCodec reading;
    private final AnnouncementCodec writing;
    private final MessageBody bodies;
    private final LongSupplier wallClock;
    private volatile ReplayWindow seen = new ReplayWindow(ReplayWindow.DEFAULT_CAPACITY);

    /**
     * Prepares for messages of one side.
     *
     * @param limits the limits of what is read, and of what is written
     */
    public Envelope(Optional<Trust> trust, WireLimits limits, LongSupplier wallClock) {
        this.key = trust.map(Trust::key);
        this.encryption = Trust.encryption(trust);
        this.reading = new AnnouncementCodec(limits);
        this.writing = new AnnouncementCodec(Trust.writable(trust, limits));
        this.bodies = new MessageBody(limits);
        this.wallClock = wallClock;
    }

    /** Goes on remembering the messages of an envelope with the same key. */
    public void follow(Envelope before) {
        seen = before.seen;
    }

    /**
     * A message as it is transferred.
     *
     * @param headers its headers
     * @param body its body; not copied
     */
    public record Sealed(Map<String, String> headers, byte[] body) {}

    /** Returns a message, cut to what the other side reads. */
    public Sealed seal(Message message, Direction direction, String path, boolean gzip) {
        String plain = writing.write(writing.fitting(message));
        String text = encryption.map(each -> each.encrypt(plain)).orElse(plain);
        Map<String, String> headers = new HashMap<>();
        headers.put("Content-Type", MessageBody.CONTENT_TYPE);
        if (gzip) {
            headers.put("Content-Encoding", "gzip");
        }
        sign(direction, path, text, headers);
        return new Sealed(headers, MessageBody.bytes(text, gzip));
    }

    /** Returns the headers of a DELETE, each time others. */
    public Map<String, String> sealDeletion(String path) {
        Map<String, String> headers = new HashMap<>();
        if (key.isPresent()) {
            String nonce = UUID.randomUUID().toString();
            headers.put(TrustHeaders.NONCE, nonce);
            try {
                sign(Direction.REQUEST, path, SharedKey.deletion(Optional.of(nonce)), headers);
            } catch (InvalidMessage e) {
                throw new IllegalStateException(e);
            }
        }
        return headers;
    }

    private void sign(Direction direction, String path, String text, Map<String, String> headers) {
        key.ifPresent(each -> {
            TrustHeaders signed = each.sign(direction, path, text, wallClock.getAsLong());
            headers.put(TrustHeaders.HASH, signed.hash());
            headers.put(TrustHeaders.TRUST, signed.trust());
        });
    }

    /**
     * Verifies the signature that the headers of a message have; empty if messages are not signed.
     *
     * @throws InvalidMessage when it is missing or wrong
     */
    public Optional<SignedHash> verify(Function<String, Optional<String>> headers) throws InvalidMessage {
        return key.isEmpty()
                ? Optional.empty()
                : Optional.of(key.get()
                        .verify(
                                headers.apply(TrustHeaders.HASH),
                                headers.apply(TrustHeaders.TRUST),
                                wallClock.getAsLong()));
    }

    /**
     * Verifies that a signature is that of a text, which was not read before.
     *
     * @throws InvalidMessage when it is not
     */
    public void admit(Optional<SignedHash> hash, Direction direction, String path, String text) throws InvalidMessage {
        if (hash.isPresent()) {
            seen.admit(hash.get().verify(direction, path, text));
        }
    }

    /**
     * Reads a message.
     *
     * @param hash what {@link #verify} has returned
     * @throws InvalidMessage when it is not what an owner of the key has written once, or not one within the limits
     */
    public Message open(
            Optional<SignedHash> hash,
            Direction direction,
            String path,
            byte[] body,
            Function<String, Optional<String>> headers)
            throws InvalidMessage {
        String text = bodies.text(body, headers.apply("Content-Encoding"), headers.apply("Content-Type"));
        admit(hash, direction, path, text);
        String plain = encryption.isPresent() ? encryption.get().decrypt(text) : text;
        return reading.read(plain, direction == Direction.REPLY);
    }
}
