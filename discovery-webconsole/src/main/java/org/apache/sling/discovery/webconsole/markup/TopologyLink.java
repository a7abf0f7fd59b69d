// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.webconsole.markup;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of the topology page of another instance. An instance publishes the address of its HTTP service, not the
 * path of its console, which usually is the same on all instances.
 *
 * @param address the address of the page
 * @param host the host and port, for display
 */
public record TopologyLink(String address, String host) {
    private static final Pattern ENDPOINT = Pattern.compile("(https?://([^/?#]+))([^?#]*).*", Pattern.DOTALL);

    /**
     * @param endpoint the address of the HTTP service of the other instance, which may end with the context path
     * @param overview the path of the page on this instance
     */
    public static TopologyLink of(String endpoint, String overview) {
        Matcher parts = ENDPOINT.matcher(endpoint);
        if (!parts.matches()) {
            return new TopologyLink(endpoint, endpoint);
        }
        String context = parts.group(3).replaceAll("/+$", "");
        boolean isShared = overview.startsWith(context + "/");
        return new TopologyLink(parts.group(1) + (isShared ? "" : context) + overview, parts.group(2));
    }
}
