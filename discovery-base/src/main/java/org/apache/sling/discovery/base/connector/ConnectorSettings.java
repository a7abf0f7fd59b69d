// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.sling.discovery.base.connector.wire.AllowList;
import org.apache.sling.discovery.base.connector.wire.SharedKey;

/**
 * How connectors work; names and defaults are those of Sling where the meaning is the same.
 *
 * @param outgoing the connectors to open, each with its URLs, the preferred one first
 * @param allowed the peers that may connect when messages are not signed
 * @param trust how messages are signed and encrypted; empty when they are not
 * @param pingInterval how often each connector pings
 * @param pingTimeout how long an announcement is kept without a ping
 * @param connectTimeout how long establishing a connection may take
 * @param exchangeTimeout how long a reply, or the body of a request, may take. An exchange that this instance begins ends when connect
 *     timeout and exchange timeout together are over
 * @param gzip whether the bodies of requests are compressed
 * @param autoStop whether a connector that leads back to this instance stops
 * @param standbyFactor how many ping intervals a connector waits that the peer does not need; 0 or 1 for one
 * @param stableFactor how many ping intervals a connector waits at most while nothing changes; 0 or 1 for one
 */
public record ConnectorSettings(
        List<Outgoing> outgoing,
        AllowList allowed,
        Optional<Trust> trust,
        Duration pingInterval,
        Duration pingTimeout,
        Duration connectTimeout,
        Duration exchangeTimeout,
        boolean gzip,
        boolean autoStop,
        int standbyFactor,
        int stableFactor) {

    /** No connectors, connections from this machine only, and all else as Sling's defaults. */
    public static final ConnectorSettings DEFAULT = new ConnectorSettings(
            List.of(),
            AllowList.of(List.of("localhost", "127.0.0.1")),
            Optional.empty(),
            Duration.ofSeconds(30),
            Duration.ofSeconds(120),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            false,
            false,
            5,
            5);

    public ConnectorSettings {
        outgoing = List.copyOf(outgoing);
    }

    /**
     * A connector to open.
     *
     * @param urls its URLs, at least one; those after the first are fall-backs to other instances of the same cluster
     */
    public record Outgoing(List<URI> urls) {
        public Outgoing {
            urls = List.copyOf(urls);
            if (urls.isEmpty()) {
                throw new IllegalArgumentException("a connector needs a URL");
            }
        }
    }

    /**
     * How messages are signed.
     *
     * @param key the key that both sides share
     * @param secret what the key is derived from, which encryption needs
     * @param encrypted whether bodies are encrypted
     */
    public record Trust(SharedKey key, String secret, boolean encrypted) {

        /** Names no secret. */
        @Override
        public String toString() {
            return "Trust[encrypted=" + encrypted + "]";
        }
    }
}
