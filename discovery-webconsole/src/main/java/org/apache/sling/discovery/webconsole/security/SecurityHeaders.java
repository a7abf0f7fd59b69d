// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.security;

import jakarta.servlet.http.HttpServletResponse;

/** The headers of each answer that restrict the browser. */
public final class SecurityHeaders {

    private SecurityHeaders() {}

    public static void set(HttpServletResponse response) {
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("X-Content-Type-Options", "nosniff");
    }
}
