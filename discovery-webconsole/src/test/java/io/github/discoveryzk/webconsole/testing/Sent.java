// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.testing;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.sling.discovery.webconsole.http.Reply;
import org.apache.sling.discovery.webconsole.http.Request;

/** A request of a test, from a console at {@code /console}. */
public final class Sent {
    public final Map<String, String> parameters = new HashMap<>();
    public final Map<String, String> headers = new HashMap<>();
    public String user = "";

    public Request request(String method, String path) {
        return new Request(method, path, user, "/console", () -> Map.copyOf(parameters), headers::get);
    }

    public static String text(Reply reply) {
        return new String(reply.content(), StandardCharsets.UTF_8);
    }
}
