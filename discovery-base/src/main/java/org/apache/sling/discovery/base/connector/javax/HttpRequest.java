// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.connector.javax;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import javax.servlet.http.HttpServletRequest;
import org.apache.sling.discovery.base.connector.endpoint.ConnectorRequest;
import org.apache.sling.discovery.base.connector.endpoint.HostName;

/** A request of a servlet. */
record HttpRequest(HttpServletRequest request) implements ConnectorRequest {

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String requestUri() {
        return request.getRequestURI();
    }

    @Override
    public String pathInfo() {
        return request.getPathInfo();
    }

    @Override
    public Optional<String> header(String name) {
        return Optional.ofNullable(request.getHeader(name));
    }

    @Override
    public long contentLength() {
        return request.getContentLengthLong();
    }

    @Override
    public InputStream body() throws IOException {
        return request.getInputStream();
    }

    @Override
    public String remoteAddress() {
        return request.getRemoteAddr();
    }

    /** Many containers look up no name themselves, and none verifies it. */
    @Override
    public String remoteHost() {
        return HostName.of(request.getRemoteAddr());
    }
}
