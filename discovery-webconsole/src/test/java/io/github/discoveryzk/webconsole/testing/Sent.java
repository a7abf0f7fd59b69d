// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.webconsole.testing;

import io.github.discoveryzk.webconsole.http.Reply;
import io.github.discoveryzk.webconsole.http.Request;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

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
