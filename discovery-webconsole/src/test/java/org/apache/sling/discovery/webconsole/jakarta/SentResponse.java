// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.jakarta;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.sling.discovery.webconsole.testing.Stub;

/** The answer of a servlet. A call of the response that is not allowed fails. */
final class SentResponse {
    final Map<String, String> headers = new HashMap<>();
    final StringWriter text = new StringWriter();
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int status = HttpServletResponse.SC_OK;
    boolean committed;
    private final Set<String> allowed;

    SentResponse(String... allowed) {
        this.allowed = Set.of(allowed);
    }

    HttpServletResponse response() {
        Stub stub = this::take;
        return stub.of(HttpServletResponse.class, allowed);
    }

    private Object take(String name, Object[] arguments) {
        switch (name) {
            case "setStatus", "sendError" -> status = (Integer) arguments[0];
            case "setHeader" -> headers.put((String) arguments[0], (String) arguments[1]);
            case "setContentType" -> headers.put("Content-Type", (String) arguments[0]);
            case "setContentLength" -> headers.put("Content-Length", arguments[0].toString());
            case "sendRedirect" -> headers.put("Location", (String) arguments[0]);
            case "flushBuffer" -> committed = true;
            case "reset" -> headers.clear();
            default -> {
                return give(name);
            }
        }
        return null;
    }

    private Object give(String name) {
        return switch (name) {
            case "getContentType" -> headers.get("Content-Type");
            case "getCharacterEncoding" -> "utf-8";
            case "getWriter" -> new PrintWriter(text, true);
            case "getOutputStream" -> new Body();
            case "isCommitted" -> committed;
            default -> throw new UnsupportedOperationException(name);
        };
    }

    private final class Body extends ServletOutputStream {
        @Override
        public void write(int b) {
            bytes.write(b);
        }

        @Override
        public boolean isReady() {
            return true;
        }

        /** Ignores the listener: writing is always possible. */
        @Override
        public void setWriteListener(WriteListener listener) {
            if (!allowed.contains("setWriteListener")) {
                throw new UnsupportedOperationException("setWriteListener");
            }
        }
    }
}
