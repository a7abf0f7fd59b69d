// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.trust;

import org.apache.sling.discovery.base.connector.wire.InvalidMessage;
import org.apache.sling.discovery.base.connector.wire.InvalidMessage.Reason;

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
