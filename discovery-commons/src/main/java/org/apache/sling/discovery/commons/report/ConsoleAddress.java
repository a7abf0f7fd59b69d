// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.commons.report;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The address of the web console of an instance, if the instance has one: the first of its endpoints that is an absolute
 * HTTP address. Pages show properties of other instances as links, so any other value is ignored.
 */
final class ConsoleAddress {

    private static final String ENDPOINTS = "org.apache.sling.instance.endpoints";

    private ConsoleAddress() {}

    static Optional<String> of(Map<String, String> properties) {
        String endpoints = properties.getOrDefault(ENDPOINTS, "");
        return Stream.of(endpoints.split(","))
                .map(String::trim)
                .filter(ConsoleAddress::isHttp)
                .findFirst();
    }

    private static boolean isHttp(String address) {
        try {
            URI uri = new URI(address);
            String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            // An address that contains a name and a password must not be shown.
            return (scheme.equals("http") || scheme.equals("https"))
                    && uri.getHost() != null
                    && uri.getUserInfo() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
