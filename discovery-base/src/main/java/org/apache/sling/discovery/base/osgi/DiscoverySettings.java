// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.base.osgi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The configuration, with the default in place of each value that cannot be used.
 *
 * @param propertyRefresh how often property providers are called again; zero for never
 * @param minInstances how many members the view of the first INIT has at least
 * @param problems the problems of the configuration, one sentence each
 */
record DiscoverySettings(Duration propertyRefresh, int minInstances, List<String> problems) {

    static final String PID = "org.apache.sling.discovery.base";
    static final String REFRESH = "propertyRefreshSeconds";
    static final String MIN_INSTANCES = "minInstances";
    static final long DEFAULT_REFRESH_SECONDS = 30;

    private static final long MAX_REFRESH_SECONDS = 86_400;
    private static final long MAX_INSTANCES = 1_000;

    /** Reads raw properties, which may hold any value: they come from files written by hand. */
    static DiscoverySettings of(Map<String, ?> configuration) {
        List<String> problems = new ArrayList<>();
        long refresh = number(configuration, REFRESH, 0, MAX_REFRESH_SECONDS, DEFAULT_REFRESH_SECONDS, problems);
        long members = number(configuration, MIN_INSTANCES, 1, MAX_INSTANCES, 1, problems);
        return new DiscoverySettings(Duration.ofSeconds(refresh), (int) members, List.copyOf(problems));
    }

    private static long number(
            Map<String, ?> configuration, String key, long min, long max, long otherwise, List<String> problems) {
        Object value = configuration.get(key);
        if (value == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(value.toString().trim());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        problems.add("The value '" + value + "' of " + key + " in the configuration " + PID
                + " cannot be used: it must be a whole number from " + min + " to " + max + ". '" + otherwise
                + "' is used instead.");
        return otherwise;
    }
}
