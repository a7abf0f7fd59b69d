// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import io.github.discoveryzk.spi.ConfigurationReader;
import io.github.discoveryzk.zk.client.ConnectString;
import io.github.discoveryzk.zk.security.Access;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The configuration, with the default in place of each value that cannot be used. A wrong value does not prevent an instance from
 * starting: it is one of the problems.
 *
 * @param store where the cluster is
 * @param problems the values that cannot be used, a sentence each
 */
record BackendSettings(ZooKeeperStoreConfig store, List<String> problems) {
    static final String PID = "io.github.discoveryzk.zk";

    static BackendSettings of(Map<String, ?> configuration) {
        ConfigurationReader reader = new ConfigurationReader(PID, ZooKeeperBackendConfig.class, configuration);
        ZooKeeperStoreConfig store = new ZooKeeperStoreConfig(
                checked(reader, "connectString", ConnectString::parse),
                checked(reader, "rootPath", ZooKeeperStoreConfig::checkRootPath),
                checked(reader, "clusterName", ZooKeeperStoreConfig::checkClusterName),
                (int) reader.number(
                        "sessionTimeoutMillis",
                        ZooKeeperBackendConfig.MIN_SESSION_MILLIS,
                        ZooKeeperBackendConfig.MAX_SESSION_MILLIS),
                new SecuritySettings(reader).read(),
                access(reader));
        return new BackendSettings(store, reader.problems());
    }

    static String checked(ConfigurationReader reader, String key, Consumer<String> check) {
        return reader.text(key, text -> {
            check.accept(text);
            return text;
        });
    }

    /** A wrong value keeps the instance out of the store, because a default could open what is to be closed. */
    private static Access access(ConfigurationReader reader) {
        try {
            return Access.of(reader.entries("acl"), reader.entries("aclRead"));
        } catch (IllegalArgumentException e) {
            return new Access(
                    List.of(),
                    Optional.of("The values of acl and aclRead in the configuration " + PID + " cannot be used: "
                            + e.getMessage()
                            + ". This instance stays out of ZooKeeper, so that no node has other rights."));
        }
    }
}
