// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.endpoint;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** A request of a peer, whichever servlet container received it. Nothing in it is verified. */
public interface ConnectorRequest {

    /** Returns the method, such as {@code PUT}. */
    String method();

    /** Returns the path as it was sent, with the context path and without the query. */
    String requestUri();

    /** Returns the decoded part of the path after that of the servlet; null if there is none. */
    String pathInfo();

    /** Returns the first header of that name, in any case. */
    Optional<String> header(String name);

    /** Returns the length of the body as the header says; -1 if it says nothing. */
    long contentLength();

    /** Returns the body. */
    InputStream body() throws IOException;

    /** Returns the network address of the sender, as the connection has it. */
    String remoteAddress();

    /** Returns the name of the sender's host; may ask a name service, and returns the address if that knows no name. */
    String remoteHost();
}
