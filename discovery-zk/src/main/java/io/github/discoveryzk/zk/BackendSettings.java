// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import io.github.discoveryzk.report.Secrets;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.spi.SettlingPolicy.Quarantine;
import io.github.discoveryzk.spi.SettlingPolicy.SuspendedPolicy;
import io.github.discoveryzk.zk.client.ConnectString;
import io.github.discoveryzk.zk.security.Access;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The configuration, with the default in place of each value that cannot be used. A wrong value does not prevent an instance from
 * starting: it is one of the problems.
 *
 * @param store where the cluster is
 * @param policy how its changes are settled
 * @param problems the values that cannot be used, a sentence each
 */
record BackendSettings(ZooKeeperStoreConfig store, SettlingPolicy policy, List<String> problems) {
    static final String PID = "io.github.discoveryzk.zk";

    static BackendSettings of(Map<String, ?> configuration) {
        return new Reader(configuration).read();
    }

    /** Reads the raw properties. They come from files that are edited by hand, so a value can have any type. */
    static final class Reader {
        private final Map<String, ?> configuration;
        private final List<String> problems = new ArrayList<>();

        private Reader(Map<String, ?> configuration) {
            this.configuration = configuration;
        }

        private BackendSettings read() {
            String servers = text("connectString", ConnectString::parse);
            String root = text("rootPath", ZooKeeperStoreConfig::checkRootPath);
            String cluster = text("clusterName", ZooKeeperStoreConfig::checkClusterName);
            int session = (int) number(
                    "sessionTimeoutMillis",
                    ZooKeeperBackendConfig.MIN_SESSION_MILLIS,
                    ZooKeeperBackendConfig.MAX_SESSION_MILLIS);
            SettlingPolicy policy = new SettlingPolicy(
                    number(
                            "settleTimeoutMillis",
                            ZooKeeperBackendConfig.MIN_SETTLE_MILLIS,
                            ZooKeeperBackendConfig.MAX_SETTLE_MILLIS,
                            session,
                            "it is shorter than the session timeout of " + session
                                    + ", within which a silent member may not have noticed the change"),
                    number("quietMillis", 0, ZooKeeperBackendConfig.MAX_QUIET_MILLIS),
                    number("regroupMillis", 0, ZooKeeperBackendConfig.MAX_REGROUP_MILLIS),
                    SettlingPolicy.DEFAULT.stepInMillis(),
                    suspended(),
                    quarantine(),
                    1,
                    (int) number(
                            "leaseMillis",
                            ZooKeeperBackendConfig.MIN_LEASE_MILLIS,
                            ZooKeeperBackendConfig.MAX_SESSION_MILLIS));
            return new BackendSettings(
                    new ZooKeeperStoreConfig(
                            servers, root, cluster, session, new SecuritySettings(this).read(), access()),
                    policy,
                    List.copyOf(problems));
        }

        /** A wrong value keeps the instance out of the store, because a default could open what is to be closed. */
        private Access access() {
            try {
                return Access.of(entries("acl"), entries("aclRead"));
            } catch (IllegalArgumentException e) {
                return new Access(
                        List.of(),
                        Optional.of("The values of acl and aclRead in the configuration " + PID + " cannot be used: "
                                + e.getMessage()
                                + ". This instance stays out of ZooKeeper, so that no node has other rights."));
            }
        }

        /** Returns a list; a single text is one entry, because an entry may contain commas. */
        private List<String> entries(String key) {
            Object value = configuration.containsKey(key) ? configuration.get(key) : defaultOf(key);
            Object[] all = value instanceof Collection<?> many ? many.toArray() : new Object[] {value};
            return Stream.of(value instanceof Object[] array ? array : all)
                    .map(each -> String.valueOf(each).trim())
                    .filter(each -> !each.isEmpty())
                    .toList();
        }

        private Quarantine quarantine() {
            long losses = number("quarantineLosses", 0, ZooKeeperBackendConfig.MAX_LOSSES);
            long window = number(
                    "quarantineWindowMillis",
                    ZooKeeperBackendConfig.MIN_WINDOW_MILLIS,
                    ZooKeeperBackendConfig.MAX_WINDOW_MILLIS);
            long first = number(
                    "quarantineFirstRestMillis",
                    ZooKeeperBackendConfig.MIN_REST_MILLIS,
                    ZooKeeperBackendConfig.MAX_REST_MILLIS);
            long longest = number(
                    "quarantineLongestRestMillis",
                    ZooKeeperBackendConfig.MIN_REST_MILLIS,
                    ZooKeeperBackendConfig.MAX_REST_MILLIS,
                    first,
                    "it is shorter than the first rest of " + first);
            return new Quarantine((int) losses, window, first, longest);
        }

        private SuspendedPolicy suspended() {
            String name = text("suspendedPolicy", value -> {
                if (!List.of("LEASE", "STRICT").contains(value.toUpperCase(Locale.ROOT))) {
                    throw new IllegalArgumentException("it is neither LEASE nor STRICT");
                }
            });
            return SuspendedPolicy.valueOf(name.toUpperCase(Locale.ROOT));
        }

        private static Object defaultOf(String key) {
            try {
                return ZooKeeperBackendConfig.class
                        .getDeclaredMethod(key.replace('.', '_'))
                        .getDefaultValue();
            } catch (NoSuchMethodException e) {
                throw new IllegalArgumentException(e);
            }
        }

        String text(String key, Consumer<String> check) {
            String otherwise = String.valueOf(defaultOf(key));
            Object value = configuration.get(key);
            if (value == null) {
                return otherwise;
            }
            try {
                if (!(value instanceof String
                        || value instanceof Number
                        || value instanceof Boolean
                        || value instanceof String[])) {
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

        private long number(String key, long least, long most) {
            return number(key, least, most, least, "");
        }

        /** Returns a number that is not below a floor, which follows from other values; {@code why} says so. */
        private long number(String key, long least, long most, long floor, String why) {
            long otherwise = Math.max(floor, ((Number) defaultOf(key)).longValue());
            Object value = configuration.get(key);
            if (value == null) {
                return otherwise;
            }
            try {
                long number = Long.parseLong(value.toString().trim());
                if (number < least || number > most) {
                    problem(key, value, "it must be from " + least + " to " + most, otherwise);
                } else if (number < floor) {
                    problem(key, value, why, floor);
                    return floor;
                } else {
                    return number;
                }
            } catch (NumberFormatException e) {
                problem(key, value, "it is not a whole number", otherwise);
            }
            return otherwise;
        }

        void problem(String key, Object value, String why, Object instead) {
            Object shown = value instanceof Object[] many ? Arrays.toString(many) : value;
            if (key.startsWith("authData") || Secrets.isSecret(key)) {
                shown = Secrets.MASK;
            }
            problems.add("The value '" + shown + "' of " + key + " in the configuration " + PID + " cannot be used: "
                    + why + ". '" + instead + "' is used instead.");
        }
    }
}
