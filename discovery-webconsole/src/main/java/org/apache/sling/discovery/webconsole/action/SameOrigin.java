// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.action;

import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.sling.discovery.webconsole.exchange.Request;

/** The check of the origin that a browser sends with a request. */
final class SameOrigin {
    private static final Pattern FORWARDED_HOST =
            Pattern.compile("(?:^|;)\\s*host=\"?([^\";]+)\"?", Pattern.CASE_INSENSITIVE);

    private SameOrigin() {}

    /**
     * Returns whether a page of this server may have made the request. A request without an origin, or with the origin
     * {@code null} of a page that withholds its address, is allowed: then the token decides.
     */
    static boolean isAllowed(Request request) {
        String site = request.header("Sec-Fetch-Site");
        if (site != null) {
            return site.equals("same-origin");
        }
        String origin = request.header("Origin");
        return origin == null
                || origin.equals("null")
                || Stream.of(request.header("Host"), forwardedHost(request))
                        .anyMatch(host -> sameAuthority(origin, host));
    }

    /**
     * Returns the host that the browser has asked a proxy for, or null. Another site cannot forge it: a form has no headers
     * of its own, and a script may not add this one.
     */
    private static String forwardedHost(Request request) {
        String host = request.header("X-Forwarded-Host");
        if (host != null) {
            return host.split(",", 2)[0].strip();
        }
        String forwarded = request.header("Forwarded");
        Matcher named =
                FORWARDED_HOST.matcher(forwarded == null ? "" : forwarded.split(",", 2)[0]);
        return named.find() ? named.group(1) : null;
    }

    private static boolean sameAuthority(String origin, String host) {
        try {
            String authority = URI.create(origin).getAuthority();
            return authority != null && authority.equalsIgnoreCase(host);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
