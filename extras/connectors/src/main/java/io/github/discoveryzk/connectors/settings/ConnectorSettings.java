// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.settings;

import io.github.discoveryzk.connectors.trust.AllowList;
import io.github.discoveryzk.connectors.trust.Trust;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How connectors work; names and defaults are those of Sling where the meaning is the same.
 *
 * @param outgoing the connectors to open, each with its URLs: at least one, the preferred one first, then fall-backs to other instances of
 *     the same cluster
 * @param allowed the peers that may connect when messages are not signed
 * @param trust how messages are signed and encrypted; empty when they are not
 * @param timing when connectors ping, and how long announcements last
 * @param transfer how messages are transferred
 * @param autoStop whether a connector that leads back to this instance stops
 */
public record ConnectorSettings(
        List<List<URI>> outgoing,
        AllowList allowed,
        Optional<Trust> trust,
        Timing timing,
        Transfer transfer,
        boolean autoStop) {

    /** No connectors, connections from this machine only, and all else as Sling's defaults. */
    public static final ConnectorSettings DEFAULT = new ConnectorSettings(
            List.of(),
            AllowList.of(List.of("localhost", "127.0.0.1")),
            Optional.empty(),
            Timing.DEFAULT,
            Transfer.DEFAULT,
            false);

    /**
     * How messages are transferred.
     *
     * @param connectTimeout how long establishing a connection may take
     * @param exchangeTimeout how long a reply, or the body of a request, may take. An exchange that this instance begins ends when connect
     *     timeout and exchange timeout together are over
     * @param gzip whether the bodies of requests are compressed
     */
    public record Transfer(Duration connectTimeout, Duration exchangeTimeout, boolean gzip) {

        /** The defaults of Sling. */
        public static final Transfer DEFAULT = new Transfer(Duration.ofSeconds(10), Duration.ofSeconds(10), false);
    }
}
