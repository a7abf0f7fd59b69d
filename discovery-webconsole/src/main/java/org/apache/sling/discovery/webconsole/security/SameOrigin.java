// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.security;

import java.net.URI;
import org.apache.sling.discovery.webconsole.exchange.Request;

/** The check of the origin that a browser sends with a request. */
public final class SameOrigin {

    private SameOrigin() {}

    /**
     * Returns whether a page of this server may have made the request. A request without an origin, or with the origin
     * {@code null} of a page that withholds its address, is allowed: then the token decides.
     */
    public static boolean isAllowed(Request request) {
        String site = request.header("Sec-Fetch-Site");
        if (site != null) {
            return site.equals("same-origin");
        }
        String origin = request.header("Origin");
        return origin == null || origin.equals("null") || sameAuthority(origin, request.header("Host"));
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
