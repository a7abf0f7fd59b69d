// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.base.osgi;

import io.github.discoveryzk.model.ForeignText;
import io.github.discoveryzk.spi.ConfigurationReader;
import io.github.discoveryzk.spi.SettlingPolicy;
import io.github.discoveryzk.spi.SettlingPolicy.Quarantine;
import io.github.discoveryzk.spi.SettlingPolicy.SuspendedPolicy;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The configuration, with the default in place of each value that cannot be used.
 *
 * @param policy how changes are settled, with the least number of members of the first INIT
 * @param propertyRefresh how often property providers are called again; zero for never
 * @param neighbourPort where to listen for neighbours; 0 for any port, -1 for none
 * @param neighbourAddress at which address to listen; empty for that by which the store is reached
 * @param refusalIsProof whether a refused connection proves the end of a process
 * @param problems the problems of the configuration, one sentence each
 */
record DiscoverySettings(
        SettlingPolicy policy,
        Duration propertyRefresh,
        int neighbourPort,
        Optional<InetAddress> neighbourAddress,
        boolean refusalIsProof,
        List<String> problems) {

    static final String PID = "io.github.discoveryzk.base";

    /**
     * Reads raw properties.
     *
     * @param sessionTimeoutMillis the session timeout that the store requests
     */
    static DiscoverySettings of(Map<String, ?> configuration, int sessionTimeoutMillis) {
        ConfigurationReader reader = new ConfigurationReader(PID, DiscoveryConfig.class, configuration);
        return new DiscoverySettings(
                policy(reader, sessionTimeoutMillis),
                Duration.ofSeconds(reader.number("propertyRefreshSeconds", 0, DiscoveryConfig.MAX_REFRESH_SECONDS)),
                (int) reader.number("neighbourPort", -1, DiscoveryConfig.MAX_PORT),
                reader.text("neighbourAddress", DiscoverySettings::address),
                reader.flag("refusalIsProof", false),
                reader.problems());
    }

    private static SettlingPolicy policy(ConfigurationReader reader, int session) {
        return new SettlingPolicy(
                reader.number(
                        "settleTimeoutMillis",
                        DiscoveryConfig.MIN_SETTLE_MILLIS,
                        DiscoveryConfig.MAX_SETTLE_MILLIS,
                        session,
                        "it is shorter than the session timeout of " + session
                                + ", within which a silent member may not have noticed the change"),
                reader.number("quietMillis", 0, DiscoveryConfig.MAX_QUIET_MILLIS),
                SettlingPolicy.DEFAULT.regroupMillis(),
                SettlingPolicy.DEFAULT.stepInMillis(),
                reader.text("suspendedPolicy", DiscoverySettings::suspended),
                Quarantine.after((int) reader.number("quarantineLosses", 0, DiscoveryConfig.MAX_LOSSES)),
                (int) reader.number("minInstances", 1, DiscoveryConfig.MAX_INSTANCES),
                (int) reader.number("leaseMillis", DiscoveryConfig.MIN_LEASE_MILLIS, DiscoveryConfig.MAX_LEASE_MILLIS));
    }

    private static SuspendedPolicy suspended(String text) {
        String name = text.toUpperCase(Locale.ROOT);
        if (!List.of("LEASE", "STRICT").contains(name)) {
            throw new IllegalArgumentException("it is neither LEASE nor STRICT");
        }
        return SuspendedPolicy.valueOf(name);
    }

    private static Optional<InetAddress> address(String text) {
        Optional<InetAddress> address = ForeignText.address(text).filter(one -> !one.isAnyLocalAddress());
        if (address.isEmpty() && !text.isEmpty()) {
            throw new IllegalArgumentException("it must be one IP address of this machine, not a name");
        }
        return address;
    }
}
