// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.exchange;

import java.io.IOException;
import java.io.Writer;

/** The response to a request. Status and headers are set before the content. */
public interface Response {

    void setStatus(int status);

    /** Sets a header, and replaces its earlier value. */
    void setHeader(String name, String value);

    /** Returns the writer of a text. If the text is a page, the console writes its frame with the same writer. */
    Writer text(String contentType) throws IOException;

    /** Sends content that is complete. */
    void send(byte[] content) throws IOException;

    /** Sends the error page of the container. */
    void sendError(int status) throws IOException;
}
