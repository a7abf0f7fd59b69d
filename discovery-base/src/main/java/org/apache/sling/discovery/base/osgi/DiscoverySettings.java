// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The configuration, with the default in place of each value that cannot be used.
 *
 * @param propertyRefresh how often property providers are called again; zero for never
 * @param problems the problems of the configuration, one sentence each
 */
record DiscoverySettings(Duration propertyRefresh, List<String> problems) {

    static final String PID = "org.apache.sling.discovery.base";
    static final String REFRESH = "propertyRefreshSeconds";
    static final long DEFAULT_REFRESH_SECONDS = 30;

    private static final long MAX_REFRESH_SECONDS = 86_400;

    /** Reads raw properties, which may hold any value: they come from files written by hand. */
    static DiscoverySettings of(Map<String, ?> configuration) {
        Object value = configuration.get(REFRESH);
        if (value == null) {
            return refreshing(DEFAULT_REFRESH_SECONDS, List.of());
        }
        try {
            long seconds = Long.parseLong(value.toString().trim());
            if (seconds >= 0 && seconds <= MAX_REFRESH_SECONDS) {
                return refreshing(seconds, List.of());
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        String problem = "The value '" + value + "' of " + REFRESH + " in the configuration " + PID
                + " cannot be used: it must be a whole number from 0 to " + MAX_REFRESH_SECONDS + ". '"
                + DEFAULT_REFRESH_SECONDS + "' is used instead.";
        return refreshing(DEFAULT_REFRESH_SECONDS, List.of(problem));
    }

    private static DiscoverySettings refreshing(long seconds, List<String> problems) {
        return new DiscoverySettings(Duration.ofSeconds(seconds), problems);
    }
}
