// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.trust;

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
