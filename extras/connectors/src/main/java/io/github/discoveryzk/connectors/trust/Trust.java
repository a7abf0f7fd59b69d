// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.trust;

import io.github.discoveryzk.connectors.wire.WireLimits;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * How messages are signed.
 *
 * @param key the key that both sides share
 * @param encrypted whether bodies are encrypted
 */
public record Trust(SharedKey key, boolean encrypted) {

    /** Returns what encrypts the bodies of messages; empty if they are not encrypted. */
    public static Optional<Encryption> encryption(Optional<Trust> trust) {
        return trust.filter(Trust::encrypted).map(each -> new Encryption(each.key.secret(), new SecureRandom()));
    }

    /** Returns the limits of what is written so that what is transferred is within the limits. */
    public static WireLimits writable(Optional<Trust> trust, WireLimits limits) {
        return trust.filter(Trust::encrypted).isPresent() ? limits.beforeEncryption() : limits;
    }
}
