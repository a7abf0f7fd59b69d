// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole;

import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.sling.discovery.webconsole.exchange.Body;
import org.apache.sling.discovery.webconsole.exchange.Request;
import org.apache.sling.discovery.webconsole.exchange.Response;
import org.apache.sling.discovery.webconsole.markup.Addresses;
import org.apache.sling.discovery.webconsole.markup.Sha256;

/** Scripts, styles and the schema. A console 5 answers GET itself, and leaves the other methods to the plugin. */
final class Resources {
    private static final String BEGIN = "/" + Addresses.LABEL + "/res/";

    /** Every name that may be requested, so that no path leads out of the folder. */
    private static final Pattern NAME =
            Pattern.compile("(?:lib/)?[a-zA-Z][a-zA-Z0-9-]*(?:\\.[a-z0-9]+)*\\.(css|js|json|txt)");

    private static final Map<String, String> TYPES = Map.of(
            "css", "text/css;charset=utf-8",
            "js", "text/javascript;charset=utf-8",
            "json", "application/json;charset=utf-8",
            "txt", "text/plain;charset=utf-8");

    static boolean isFor(Request request) {
        return request.path().startsWith(BEGIN);
    }

    void answer(Request request, Response response) throws IOException {
        Matcher name = NAME.matcher(request.path().substring(BEGIN.length()));
        if (!request.accept(response, "GET", "HEAD")) {
            return;
        }
        if (!name.matches()) {
            response.sendError(404);
            return;
        }
        try (InputStream resource = Resources.class.getResourceAsStream("/res/" + name.group())) {
            if (resource == null) {
                response.sendError(404);
                return;
            }
            byte[] content = resource.readAllBytes();
            String tag = '"' + HexFormat.of().formatHex(Sha256.digest(content), 0, 16) + '"';
            response.setHeader("Cache-Control", "private, no-cache");
            new Body(TYPES.get(name.group(1)), () -> content, Optional.of(tag)).send(request, response);
        }
    }
}
