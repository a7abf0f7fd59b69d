// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.javax;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import javax.servlet.http.HttpServletRequest;
import org.apache.sling.discovery.webconsole.exchange.Request;

/** A request of a servlet. */
record HttpRequest(HttpServletRequest request, String path) implements Request {

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String parameter(String name) {
        return request.getParameter(name);
    }

    @Override
    public Map<String, String> parameters() {
        Map<String, String> parameters = new TreeMap<>();
        for (String name : Collections.list(request.getParameterNames())) {
            parameters.put(name, request.getParameter(name));
        }
        return parameters;
    }

    @Override
    public String header(String name) {
        return request.getHeader(name);
    }

    @Override
    public String user() {
        return Objects.requireNonNullElse(request.getRemoteUser(), "");
    }

    @Override
    public String consoleRoot() {
        Object root = request.getAttribute("felix.webconsole.appRoot");
        return root == null ? request.getContextPath() + request.getServletPath() : root.toString();
    }
}
