// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.sling.discovery.webconsole.exchange.Request;
import org.apache.sling.discovery.webconsole.exchange.Response;
import org.apache.sling.discovery.webconsole.markup.Addresses;

/** Scripts and styles. Newer consoles send them without asking the plugin. */
final class Resources {
    private static final Pattern PATH = Pattern.compile("/" + Addresses.LABEL + "(/res(?:/[a-z][a-zA-Z0-9-]*)?"
            + "/[a-zA-Z][a-zA-Z0-9-]*(?:\\.[a-z0-9]+)*\\.(css|js|json|txt))");

    private static final Map<String, String> TYPES = Map.of(
            "css", "text/css;charset=utf-8",
            "js", "text/javascript;charset=utf-8",
            "json", "application/json;charset=utf-8",
            "txt", "text/plain;charset=utf-8");

    /** Answers a request for a resource. Returns false if there is no such resource. */
    boolean answer(Request request, Response response) throws IOException {
        Matcher path = PATH.matcher(request.path());
        if (!request.method().equals("GET") || !path.matches()) {
            return false;
        }
        try (InputStream resource = Resources.class.getResourceAsStream(path.group(1))) {
            if (resource == null) {
                return false;
            }
            response.send(TYPES.get(path.group(2)), resource.readAllBytes());
            return true;
        }
    }
}
