// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

/** A message that an owner of the shared key has signed as it is. Only {@link SignedHash#verify} makes one. */
public final class VerifiedMessage {
    private final String hash;
    private final int keyNumber;
    private final int currentNumber;

    VerifiedMessage(String hash, int keyNumber, int currentNumber) {
        this.hash = hash;
        this.keyNumber = keyNumber;
        this.currentNumber = currentNumber;
    }

    String hash() {
        return hash;
    }

    int keyNumber() {
        return keyNumber;
    }

    /** Returns the key number of the time at which the message was verified. */
    int currentNumber() {
        return currentNumber;
    }
}
