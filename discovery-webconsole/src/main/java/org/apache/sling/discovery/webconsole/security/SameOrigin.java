// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.security;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;

/** What a browser says about where a request comes from. */
public final class SameOrigin {

    private SameOrigin() {}

    /**
     * Whether nothing speaks against the request having been made by a page of this server. Browsers that say nothing, or
     * {@code null} because a page withholds its address, are not refused: the token decides then.
     */
    public static boolean isAllowed(HttpServletRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null) {
            return site.equals("same-origin");
        }
        String origin = request.getHeader("Origin");
        return origin == null || origin.equals("null") || sameAuthority(origin, request.getHeader("Host"));
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
