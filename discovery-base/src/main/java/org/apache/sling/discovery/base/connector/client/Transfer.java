// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.client;

import java.time.Duration;

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
