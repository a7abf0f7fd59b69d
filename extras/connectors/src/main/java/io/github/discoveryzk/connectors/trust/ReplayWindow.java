// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.trust;

import io.github.discoveryzk.connectors.trust.SharedKey.SignedHash;
import io.github.discoveryzk.connectors.wire.InvalidMessage;
import io.github.discoveryzk.connectors.wire.InvalidMessage.Reason;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Remembers the verified messages as long as their keys are accepted, and refuses one that comes again. Every message of Sling is
 * unique: announcements have the time in milliseconds at which they were written, and encryption adds a random salt. The exception is
 * the DELETE of Sling's clients, which is the same within the lifetime of a key; the second one is refused, and the announcement of
 * its sender goes when it expires.
 *
 * <p>A client that sends a message again because it got no reply must write and sign it again. One that repeats the same bytes is
 * refused if the server had received the first: the two cases look the same to the server. The server has the announcement then, and
 * the next ping is accepted.
 *
 * <p>A restart forgets everything. Nothing else opens the window: messages are forgotten only with their key, and what was signed with
 * that key is refused from then on, also if the clock goes back. When the window is full, the keys before the one of now are forgotten
 * early; when that does not help, messages are refused. Only an owner of the key can fill it.
 *
 * <p>Instances may be used by several threads.
 */
public final class ReplayWindow {
    /** Enough for 200 connectors with the usual ping interval and lifetime of keys; some 12 MB when full. */
    public static final int DEFAULT_CAPACITY = 200_000;

    private final int capacity;

    /** By key number. */
    private final TreeMap<Integer, Set<Long>> seen = new TreeMap<>();

    private int size;
    private int oldestNumber = Integer.MIN_VALUE;

    /**
     * Makes an empty window.
     *
     * @param capacity how many messages it remembers, at least 1
     */
    public ReplayWindow(int capacity) {
        this.capacity = capacity;
    }

    /**
     * Remembers a message.
     *
     * @throws InvalidMessage when the same message came before, or could have come before and been forgotten since, or cannot be
     *     remembered
     */
    public synchronized void admit(SignedHash message) throws InvalidMessage {
        forgetBefore(message.currentNumber() - 1);
        checkKey(message);
        long fingerprint = fingerprint(message);
        if (Optional.ofNullable(seen.get(message.keyNumber()))
                .filter(known -> known.contains(fingerprint))
                .isPresent()) {
            throw new InvalidMessage(Reason.REPLAYED, "the same signed message came before");
        }
        if (size >= capacity) {
            forgetBefore(message.currentNumber());
            checkKey(message);
        }
        if (size >= capacity) {
            throw new InvalidMessage(
                    Reason.UNAVAILABLE,
                    "there were " + size + " signed messages within the lifetime of a key, and no more are remembered");
        }
        seen.computeIfAbsent(message.keyNumber(), any -> new HashSet<>()).add(fingerprint);
        size++;
    }

    private void checkKey(SignedHash message) throws InvalidMessage {
        if (message.keyNumber() < oldestNumber) {
            throw new InvalidMessage(
                    Reason.REPLAYED,
                    "the message is signed with key number " + message.keyNumber() + ", and those before "
                            + oldestNumber
                            + " are over: the message took too long, the clock of this instance went back, or too many"
                            + " messages came to remember all");
        }
    }

    /** Returns how many messages are remembered. */
    public synchronized int size() {
        return size;
    }

    private void forgetBefore(int number) {
        oldestNumber = Math.max(oldestNumber, number);
        while (!seen.isEmpty() && seen.firstKey() < oldestNumber) {
            size -= seen.pollFirstEntry().getValue().size();
        }
    }

    /** Part of the hash of a message. That two messages share it by chance is out of reach, and would refuse the second one. */
    private static long fingerprint(SignedHash message) {
        return ByteBuffer.wrap(Base64.getDecoder().decode(message.hash())).getLong();
    }
}
