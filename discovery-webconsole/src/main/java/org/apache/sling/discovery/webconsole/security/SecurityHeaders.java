// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.security;

import java.util.Map;
import java.util.function.BiConsumer;

/** The headers of each answer that restrict the browser. */
public final class SecurityHeaders {
    private static final Map<String, String> HEADERS =
            Map.of("Cache-Control", "no-store", "Referrer-Policy", "no-referrer", "X-Content-Type-Options", "nosniff");

    private SecurityHeaders() {}

    /** @param setHeader sets a header of the response to a value */
    public static void set(BiConsumer<String, String> setHeader) {
        HEADERS.forEach(setHeader);
    }
}
