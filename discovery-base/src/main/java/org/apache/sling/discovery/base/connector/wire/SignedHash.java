// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.wire;

import org.apache.sling.discovery.base.connector.wire.InvalidMessage.Reason;

/** A hash whose signature is verified. Only {@link SharedKey#verify} makes one. */
public final class SignedHash {
    private final String hash;
    private final int keyNumber;
    private final int currentNumber;

    SignedHash(String hash, int keyNumber, int currentNumber) {
        this.hash = hash;
        this.keyNumber = keyNumber;
        this.currentNumber = currentNumber;
    }

    /**
     * Verifies that the hash is that of a message. The path decides too: Sling's client signs the decoded path, so a path with
     * escapes does not fit.
     *
     * @throws InvalidMessage when it is the hash of another message
     */
    public VerifiedMessage verify(Direction direction, String path, String text) throws InvalidMessage {
        if (!SharedKey.equal(SharedKey.hash(direction, path, text), hash)) {
            throw new InvalidMessage(
                    Reason.ALTERED,
                    "the signed hash is that of another message: path or body were changed, or it was sent to another path");
        }
        return new VerifiedMessage(hash, keyNumber, currentNumber);
    }
}
