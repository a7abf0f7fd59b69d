// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.jakarta;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Writer;
import org.apache.sling.discovery.webconsole.exchange.Response;

/** The response of a servlet. */
record HttpResponse(HttpServletResponse response) implements Response {

    @Override
    public void setStatus(int status) {
        response.setStatus(status);
    }

    @Override
    public void setHeader(String name, String value) {
        response.setHeader(name, value);
    }

    @Override
    public Writer text(String contentType) throws IOException {
        response.setContentType(contentType);
        return response.getWriter();
    }

    @Override
    public void send(String contentType, byte[] content) throws IOException {
        sendHeaders(contentType, content.length);
        response.getOutputStream().write(content);
    }

    @Override
    public void sendHeaders(String contentType, int contentLength) {
        response.setContentType(contentType);
        response.setContentLength(contentLength);
    }

    @Override
    public void sendError(int status) throws IOException {
        response.sendError(status);
    }
}
