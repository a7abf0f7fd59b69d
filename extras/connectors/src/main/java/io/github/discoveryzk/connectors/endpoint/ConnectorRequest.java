// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.connectors.endpoint;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Function;

/**
 * A request of a peer, whichever servlet container received it. Nothing in it is verified.
 *
 * @param method the method, such as {@code PUT}
 * @param requestUri the path as it was sent, with the context path and without the query
 * @param pathInfo the decoded part of the path after that of the servlet; null if there is none
 * @param headers returns the first header of a name, in any case
 * @param contentLength the length of the body as the header says; -1 if it says nothing
 * @param body opens the body
 * @param remoteAddress the network address of the sender, as the connection has it
 */
public record ConnectorRequest(
        String method,
        String requestUri,
        String pathInfo,
        Function<String, Optional<String>> headers,
        long contentLength,
        Body body,
        String remoteAddress) {

    /** Opens the body of a request. */
    @FunctionalInterface
    public interface Body {
        InputStream open() throws IOException;
    }
}
