// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.testing;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** A request of a test. A call of the request that is not allowed fails. */
public final class Sent {
    public final Map<String, String> parameters = new HashMap<>();
    public final Map<String, String> headers = new HashMap<>();
    public final Map<String, String> attributes = new HashMap<>();
    public String user;
    public AsyncContext async;
    private final Set<String> allowed;

    public Sent(String... allowed) {
        this.allowed = Set.of(allowed);
    }

    public HttpServletRequest request(String method, String path) {
        Stub stub = (name, arguments) -> switch (name) {
            case "getMethod" -> method;
            case "getPathInfo" -> path;
            case "getRemoteUser" -> user;
            case "getParameter" -> parameters.get(arguments[0]);
            case "getHeader" -> headers.get(arguments[0]);
            case "getAttribute" -> attributes.get(arguments[0]);
            case "startAsync" -> async;
            default -> throw new UnsupportedOperationException(name);
        };
        return stub.of(HttpServletRequest.class, allowed);
    }
}
