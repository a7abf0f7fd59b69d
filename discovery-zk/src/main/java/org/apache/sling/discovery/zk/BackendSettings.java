// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.sling.discovery.commons.spi.SettlingPolicy;
import org.apache.sling.discovery.commons.spi.SettlingPolicy.Quarantine;
import org.apache.sling.discovery.commons.spi.SettlingPolicy.SuspendedPolicy;

/**
 * What is configured, with the default in place of each value that cannot be used. None of them keeps an instance from
 * starting: {@link ZooKeeperStoreConfig#problems} says what is wrong.
 *
 * @param store where the cluster is
 * @param policy how its changes are settled
 */
record BackendSettings(ZooKeeperStoreConfig store, SettlingPolicy policy) {
    static final long DEFAULT_SETTLE_MILLIS = 30_000;
    static final long LONGEST_SETTLE_MILLIS = 86_400_000;
    static final long LONGEST_QUIET_MILLIS = 3_600_000;
    static final int DEFAULT_LOSSES = 5;
    static final int MOST_LOSSES = 1_000;
    static final long DEFAULT_WINDOW_MILLIS = 300_000;
    static final long SHORTEST_WINDOW_MILLIS = 1_000;
    static final long LONGEST_WINDOW_MILLIS = 86_400_000;
    static final long DEFAULT_FIRST_REST_MILLIS = 10_000;
    static final long DEFAULT_LONGEST_REST_MILLIS = 120_000;
    static final long SHORTEST_REST_MILLIS = 100;
    static final long LONGEST_REST_MILLIS = 3_600_000;

    static BackendSettings of(Map<String, ?> configuration) {
        return new Reader(configuration).read();
    }

    /** Reads the raw properties, which may hold anything: they come from files that people write. */
    private static final class Reader {
        private final Map<String, ?> configuration;
        private final List<String> problems = new ArrayList<>();

        private Reader(Map<String, ?> configuration) {
            this.configuration = configuration;
        }

        private BackendSettings read() {
            String servers = text(
                    "connectString",
                    ZooKeeperStoreConfig.DEFAULT_CONNECT_STRING,
                    ZooKeeperStoreConfig::checkConnectString);
            String root = text("rootPath", ZooKeeperStoreConfig.DEFAULT_ROOT_PATH, ZooKeeperStoreConfig::checkRootPath);
            String cluster = text(
                    "clusterName", ZooKeeperStoreConfig.DEFAULT_CLUSTER_NAME, ZooKeeperStoreConfig::checkClusterName);
            long session = number(
                    "sessionTimeoutMillis",
                    ZooKeeperStoreConfig.DEFAULT_SESSION_TIMEOUT_MILLIS,
                    ZooKeeperStoreConfig.SHORTEST_SESSION_MILLIS,
                    ZooKeeperStoreConfig.LONGEST_SESSION_MILLIS);
            SettlingPolicy policy = new SettlingPolicy(
                    settleTimeout(session),
                    number("quietMillis", 0, 0, LONGEST_QUIET_MILLIS),
                    SettlingPolicy.DEFAULT.stepInMillis(),
                    suspended(),
                    quarantine());
            return new BackendSettings(
                    new ZooKeeperStoreConfig(servers, root, cluster, (int) session, problems), policy);
        }

        private long settleTimeout(long session) {
            long settle = number(
                    "settleTimeoutMillis",
                    Math.max(DEFAULT_SETTLE_MILLIS, session),
                    ZooKeeperStoreConfig.SHORTEST_SESSION_MILLIS,
                    LONGEST_SETTLE_MILLIS);
            if (settle < session) {
                problem(
                        "settleTimeoutMillis",
                        settle,
                        "it is shorter than the session timeout of " + session
                                + ", within which a silent member may not have noticed the change",
                        session);
                return session;
            }
            return settle;
        }

        private Quarantine quarantine() {
            long losses = number("quarantineLosses", DEFAULT_LOSSES, 0, MOST_LOSSES);
            long window = number(
                    "quarantineWindowMillis", DEFAULT_WINDOW_MILLIS, SHORTEST_WINDOW_MILLIS, LONGEST_WINDOW_MILLIS);
            long first = number(
                    "quarantineFirstRestMillis", DEFAULT_FIRST_REST_MILLIS, SHORTEST_REST_MILLIS, LONGEST_REST_MILLIS);
            long longest = number(
                    "quarantineLongestRestMillis",
                    Math.max(DEFAULT_LONGEST_REST_MILLIS, first),
                    SHORTEST_REST_MILLIS,
                    LONGEST_REST_MILLIS);
            if (longest < first) {
                problem("quarantineLongestRestMillis", longest, "it is shorter than the first rest of " + first, first);
                longest = first;
            }
            return new Quarantine((int) losses, window, first, longest);
        }

        private SuspendedPolicy suspended() {
            String name = text("suspendedPolicy", SuspendedPolicy.LEASE.name(), value -> {
                if (Arrays.stream(SuspendedPolicy.values())
                        .noneMatch(one -> one.name().equalsIgnoreCase(value))) {
                    throw new IllegalArgumentException("it is neither LEASE nor STRICT");
                }
            });
            return SuspendedPolicy.valueOf(name.toUpperCase(Locale.ROOT));
        }

        private String text(String key, String otherwise, Consumer<String> check) {
            Object value = configuration.get(key);
            if (value == null) {
                return otherwise;
            }
            try {
                if (!(value instanceof String || value instanceof Number || value instanceof String[])) {
                    throw new IllegalArgumentException("it is not a text");
                }
                // A list of servers may come as a list.
                String text = value instanceof String[] parts
                        ? Arrays.stream(parts).map(String::trim).collect(Collectors.joining(","))
                        : value.toString().trim();
                check.accept(text);
                return text;
            } catch (IllegalArgumentException e) {
                problem(key, value, e.getMessage(), otherwise);
                return otherwise;
            }
        }

        private long number(String key, long otherwise, long least, long most) {
            Object value = configuration.get(key);
            if (value == null) {
                return otherwise;
            }
            String bounds = "it must be from " + least + " to " + most;
            try {
                long number = Long.parseLong(value.toString().trim());
                if (number >= least && number <= most) {
                    return number;
                }
                problem(key, value, bounds, otherwise);
            } catch (NumberFormatException e) {
                problem(key, value, "it is not a whole number", otherwise);
            }
            return otherwise;
        }

        private void problem(String key, Object value, String why, Object instead) {
            Object shown = value instanceof Object[] many ? Arrays.toString(many) : value;
            problems.add("The value '" + shown + "' of " + key + " in the configuration " + ZooKeeperBackend.PID
                    + " cannot be used: " + why + ". '" + instead + "' is used instead.");
        }
    }
}
