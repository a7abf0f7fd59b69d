// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk.client;

import java.util.Objects;

/**
 * What a connection needs to know.
 *
 * @param servers the servers
 * @param sessionTimeoutMillis the session timeout that is requested; the servers may grant another one
 * @param probedPath the path of a node that is read to see whether the servers reply; it need not exist
 */
public record ConnectionSettings(ConnectString servers, int sessionTimeoutMillis, String probedPath) {
    public ConnectionSettings {
        Objects.requireNonNull(servers, "servers");
        Objects.requireNonNull(probedPath, "probedPath");
    }
}
