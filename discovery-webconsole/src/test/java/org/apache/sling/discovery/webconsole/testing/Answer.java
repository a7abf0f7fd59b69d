// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.testing;

import java.io.ByteArrayOutputStream;
import java.io.StringWriter;
import java.io.Writer;
import java.util.HashMap;
import java.util.Map;
import org.apache.sling.discovery.webconsole.exchange.Response;

/** The answer to a request of a test. */
public final class Answer implements Response {
    public final Map<String, String> headers = new HashMap<>();
    public final StringWriter text = new StringWriter();
    public final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    public int status = 200;

    @Override
    public void setStatus(int next) {
        status = next;
    }

    @Override
    public void setHeader(String name, String value) {
        headers.put(name, value);
    }

    @Override
    public Writer text(String contentType) {
        headers.put("Content-Type", contentType);
        return text;
    }

    @Override
    public void send(byte[] content) {
        bytes.writeBytes(content);
    }

    @Override
    public void sendError(int error) {
        status = error;
    }
}
