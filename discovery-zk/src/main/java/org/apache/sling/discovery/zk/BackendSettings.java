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
import org.apache.sling.discovery.zk.client.ConnectString;

/**
 * The configuration, with the default in place of each value that cannot be used. A wrong value does not prevent an instance from
 * starting: it is one of the problems.
 *
 * @param store where the cluster is
 * @param policy how its changes are settled
 * @param problems the values that cannot be used, a sentence each
 */
record BackendSettings(ZooKeeperStoreConfig store, SettlingPolicy policy, List<String> problems) {
    static final String PID = "org.apache.sling.discovery.zk";

    static BackendSettings of(Map<String, ?> configuration) {
        return new Reader(configuration).read();
    }

    /** Reads the raw properties. They come from files that are edited by hand, so a value can have any type. */
    private static final class Reader {
        private final Map<String, ?> configuration;
        private final List<String> problems = new ArrayList<>();

        private Reader(Map<String, ?> configuration) {
            this.configuration = configuration;
        }

        private BackendSettings read() {
            String servers = text("connectString", Limits.DEFAULT_CONNECT_STRING, ConnectString::parse);
            String root = text("rootPath", Limits.DEFAULT_ROOT_PATH, ZooKeeperStoreConfig::checkRootPath);
            String cluster = text("clusterName", Limits.DEFAULT_CLUSTER_NAME, ZooKeeperStoreConfig::checkClusterName);
            long session = number(
                    "sessionTimeoutMillis",
                    Limits.DEFAULT_SESSION_MILLIS,
                    Limits.MIN_SESSION_MILLIS,
                    Limits.MAX_SESSION_MILLIS);
            SettlingPolicy policy = new SettlingPolicy(
                    settleTimeout(session),
                    number("quietMillis", Limits.DEFAULT_QUIET_MILLIS, 0, Limits.MAX_QUIET_MILLIS),
                    number("regroupMillis", Limits.DEFAULT_REGROUP_MILLIS, 0, Limits.MAX_REGROUP_MILLIS),
                    SettlingPolicy.DEFAULT.stepInMillis(),
                    suspended(),
                    quarantine());
            return new BackendSettings(
                    new ZooKeeperStoreConfig(servers, root, cluster, (int) session), policy, List.copyOf(problems));
        }

        private long settleTimeout(long session) {
            long settle = number(
                    "settleTimeoutMillis",
                    Math.max(Limits.DEFAULT_SETTLE_MILLIS, session),
                    Limits.MIN_SETTLE_MILLIS,
                    Limits.MAX_SETTLE_MILLIS);
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
            long losses = number("quarantineLosses", Limits.DEFAULT_LOSSES, 0, Limits.MAX_LOSSES);
            long window = number(
                    "quarantineWindowMillis",
                    Limits.DEFAULT_WINDOW_MILLIS,
                    Limits.MIN_WINDOW_MILLIS,
                    Limits.MAX_WINDOW_MILLIS);
            long first = number(
                    "quarantineFirstRestMillis",
                    Limits.DEFAULT_FIRST_REST_MILLIS,
                    Limits.MIN_REST_MILLIS,
                    Limits.MAX_REST_MILLIS);
            long longest = number(
                    "quarantineLongestRestMillis",
                    Math.max(Limits.DEFAULT_MAX_REST_MILLIS, first),
                    Limits.MIN_REST_MILLIS,
                    Limits.MAX_REST_MILLIS);
            if (longest < first) {
                problem("quarantineLongestRestMillis", longest, "it is shorter than the first rest of " + first, first);
                longest = first;
            }
            return new Quarantine((int) losses, window, first, longest);
        }

        private SuspendedPolicy suspended() {
            String name = text("suspendedPolicy", Limits.DEFAULT_SUSPENDED_POLICY, value -> {
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
                    throw new IllegalArgumentException("it is not a string");
                }
                // A list of servers may be an array.
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
            problems.add("The value '" + shown + "' of " + key + " in the configuration " + PID + " cannot be used: "
                    + why + ". '" + instead + "' is used instead.");
        }
    }
}
