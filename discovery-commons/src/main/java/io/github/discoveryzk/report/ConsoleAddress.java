// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.report;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The address of the web console of an instance, if the instance has one: the first of its endpoints that is an absolute
 * HTTP address. Pages show properties of other instances as links, so any other value is ignored.
 */
final class ConsoleAddress {

    private static final String ENDPOINTS = "org.apache.sling.instance.endpoints";

    /** An address that contains a name and a password must not be shown. */
    private static final Pattern HTTP = Pattern.compile("(?i)https?://[^\\s/?#@\"<>]+([/?#][^\\s\"<>]*)?");

    private ConsoleAddress() {}

    static Optional<String> of(Map<String, String> properties) {
        String endpoints = properties.getOrDefault(ENDPOINTS, "");
        return Stream.of(endpoints.split(","))
                .map(String::strip)
                .filter(HTTP.asMatchPredicate())
                .findFirst();
    }
}
