// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeMap;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage.Reason;

/**
 * Remembers the verified messages as long as their keys are accepted, and refuses one that comes again. Every message of Sling is
 * unique: announcements have the time in milliseconds at which they were written, and encryption adds a random salt. The exception is
 * the DELETE of Sling's clients, which is the same within the lifetime of a key; the second one is refused, and the announcement of
 * its sender goes when it expires.
 *
 * <p>A client that sends a message again because it got no reply must write and sign it anew. One that repeats the same bytes is
 * refused if the server had received the first: the two cases look the same to the server. The server has the announcement then, and
 * the next ping is accepted.
 *
 * <p>Two bounds: a restart forgets everything, and when the window is full the oldest message of the oldest key is forgotten. Only an
 * owner of the key can fill it. A clock that goes back does not open it: what was signed with a key whose messages were forgotten is
 * refused from then on.
 *
 * <p>Instances may be used by several threads.
 */
public final class ReplayWindow {
    /** Enough for 50 connectors that ping each 30 seconds, with the usual lifetime of keys; about 10 MB when full. */
    public static final int DEFAULT_CAPACITY = 100_000;

    private final int capacity;

    /** By key number; the oldest message of a key comes first. */
    private final TreeMap<Integer, Set<Fingerprint>> seen = new TreeMap<>();

    private int size;
    private int oldestNumber = Integer.MIN_VALUE;

    /**
     * Makes an empty window.
     *
     * @param capacity how many messages it remembers, at least 1
     */
    public ReplayWindow(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a replay window for " + capacity + " messages");
        }
        this.capacity = capacity;
    }

    /**
     * Remembers a message.
     *
     * @throws InvalidMessage when the same message came before, or could have come before and been forgotten since
     */
    public synchronized void admit(VerifiedMessage message) throws InvalidMessage {
        forgetBefore(message.currentNumber() - 1);
        if (message.keyNumber() < oldestNumber) {
            throw new InvalidMessage(
                    Reason.REPLAYED,
                    "the message is signed with key number " + message.keyNumber() + ", and those before "
                            + oldestNumber
                            + " are over: the message took too long, or the clock of this instance went back");
        }
        Set<Fingerprint> sameKey = seen.computeIfAbsent(message.keyNumber(), any -> new LinkedHashSet<>());
        if (!sameKey.add(Fingerprint.of(message))) {
            throw new InvalidMessage(Reason.REPLAYED, "the same signed message came before");
        }
        size++;
        if (size > capacity) {
            forgetOldest();
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

    private void forgetOldest() {
        Set<Fingerprint> oldest = seen.firstEntry().getValue();
        Iterator<Fingerprint> first = oldest.iterator();
        first.next();
        first.remove();
        size--;
        if (oldest.isEmpty()) {
            seen.pollFirstEntry();
        }
    }

    /** Half of the hash of a message; that two messages share it by chance or intent is out of reach. */
    private record Fingerprint(long high, long low) {
        static Fingerprint of(VerifiedMessage message) {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(message.hash()));
            return new Fingerprint(bytes.getLong(), bytes.getLong());
        }
    }
}
