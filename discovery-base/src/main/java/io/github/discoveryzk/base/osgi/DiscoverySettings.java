// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import io.github.discoveryzk.model.ForeignText;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The configuration, with the default in place of each value that cannot be used.
 *
 * @param propertyRefresh how often property providers are called again; zero for never
 * @param minInstances how many members the view of the first INIT has at least
 * @param neighbourPort where to listen for neighbours; 0 for any port, -1 for none
 * @param neighbourAddress at which address to listen; empty for that by which the store is reached
 * @param refusalIsProof whether a refused connection proves the end of a process
 * @param problems the problems of the configuration, one sentence each
 */
record DiscoverySettings(
        Duration propertyRefresh,
        int minInstances,
        int neighbourPort,
        Optional<InetAddress> neighbourAddress,
        boolean refusalIsProof,
        List<String> problems) {

    static final String PID = "io.github.discoveryzk.base";
    static final String REFRESH = "propertyRefreshSeconds";
    static final String MIN_INSTANCES = "minInstances";
    static final String PORT = "neighbourPort";
    static final String ADDRESS = "neighbourAddress";
    static final String PROOF = "refusalIsProof";
    static final long DEFAULT_REFRESH_SECONDS = 30;

    private static final long MAX_REFRESH_SECONDS = 86_400;
    private static final long MAX_INSTANCES = 1_000;

    /** Reads raw properties, which may hold any value: they come from files written by hand. */
    static DiscoverySettings of(Map<String, ?> configuration) {
        List<String> problems = new ArrayList<>();
        long refresh = number(configuration, REFRESH, 0, MAX_REFRESH_SECONDS, DEFAULT_REFRESH_SECONDS, problems);
        long members = number(configuration, MIN_INSTANCES, 1, MAX_INSTANCES, 1, problems);
        long port = number(configuration, PORT, -1, 65_535, 0, problems);
        Optional<InetAddress> address = address(configuration, problems);
        String proof = Objects.toString(configuration.get(PROOF), "false").trim();
        boolean proves = proof.equals("true");
        if (!proves && !proof.equals("false")) {
            problems.add(unusable(proof, PROOF, "true or false. 'false'"));
        }
        return new DiscoverySettings(
                Duration.ofSeconds(refresh), (int) members, (int) port, address, proves, List.copyOf(problems));
    }

    private static Optional<InetAddress> address(Map<String, ?> configuration, List<String> problems) {
        String text = Objects.toString(configuration.get(ADDRESS), "").trim();
        Optional<InetAddress> address = ForeignText.address(text).filter(one -> !one.isAnyLocalAddress());
        if (address.isEmpty() && !text.isEmpty()) {
            problems.add(unusable(
                    text, ADDRESS, "one IP address of this machine, not a name. That by which the store is reached"));
        }
        return address;
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
        problems.add(unusable(value, key, "a whole number from " + min + " to " + max + ". '" + otherwise + "'"));
        return otherwise;
    }

    private static String unusable(Object value, String key, String wanted) {
        return "The value '" + value + "' of " + key + " in the configuration " + PID + " cannot be used: it must be "
                + wanted + " is used instead.";
    }
}
