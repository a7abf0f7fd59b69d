// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.endpoint;

import java.util.Map;

/**
 * The reply to a peer.
 *
 * @param status the HTTP status
 * @param headers the headers, {@code Content-Length} excepted
 * @param body the body; empty for none. Not copied: neither side changes it
 */
public record ConnectorReply(int status, Map<String, String> headers, byte[] body) {

    public ConnectorReply {
        headers = Map.copyOf(headers);
    }

    /** Returns a reply without a body. */
    public static ConnectorReply of(int status) {
        return new ConnectorReply(status, Map.of(), new byte[0]);
    }
}
