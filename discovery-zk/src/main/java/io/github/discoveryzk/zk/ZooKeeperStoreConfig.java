// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.zk;

import io.github.discoveryzk.zk.client.ConnectString;
import io.github.discoveryzk.zk.security.Access;
import io.github.discoveryzk.zk.security.Security;
import io.github.discoveryzk.zk.tree.Paths;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apache.zookeeper.common.PathUtils;

/**
 * The location of a cluster in ZooKeeper.
 *
 * @param connectString the servers, as host:port pairs separated by commas; a path after them is put before the root path and
 *     created when it is missing
 * @param rootPath the node below which discovery keeps its data
 * @param clusterName the cluster below that root; letters, digits, dot, underscore and minus
 * @param sessionTimeoutMillis the session timeout that is requested; the servers may grant another one
 * @param security how to authenticate and encrypt
 * @param access the rights to each node that is created
 */
public record ZooKeeperStoreConfig(
        String connectString,
        String rootPath,
        String clusterName,
        int sessionTimeoutMillis,
        Security security,
        Access access) {

    static final String DEFAULT_ROOT_PATH = "/sling/discovery";
    static final String DEFAULT_CLUSTER_NAME = "default";
    static final int DEFAULT_SESSION_MILLIS = 10_000;

    private static final Pattern CLUSTER_NAME = Pattern.compile("[A-Za-z0-9._-]+");

    /** Checks all values and throws {@link IllegalArgumentException} with the reason for the first that is wrong. */
    public ZooKeeperStoreConfig {
        Objects.requireNonNull(security, "security");
        ConnectString.parse(connectString);
        checkRootPath(rootPath);
        checkClusterName(clusterName);
        if (sessionTimeoutMillis < ZooKeeperBackendConfig.MIN_SESSION_MILLIS
                || sessionTimeoutMillis > ZooKeeperBackendConfig.MAX_SESSION_MILLIS) {
            throw new IllegalArgumentException("a session timeout of " + sessionTimeoutMillis + " ms");
        }
    }

    /** Returns the configuration of the cluster named default below the default root. */
    public static ZooKeeperStoreConfig of(String connectString) {
        return new ZooKeeperStoreConfig(
                connectString,
                DEFAULT_ROOT_PATH,
                DEFAULT_CLUSTER_NAME,
                DEFAULT_SESSION_MILLIS,
                Security.NONE,
                Access.OPEN);
    }

    public ZooKeeperStoreConfig withRootPath(String path) {
        return new ZooKeeperStoreConfig(connectString, path, clusterName, sessionTimeoutMillis, security, access);
    }

    public ZooKeeperStoreConfig withClusterName(String name) {
        return new ZooKeeperStoreConfig(connectString, rootPath, name, sessionTimeoutMillis, security, access);
    }

    public ZooKeeperStoreConfig withSessionTimeout(int millis) {
        return new ZooKeeperStoreConfig(connectString, rootPath, clusterName, millis, security, access);
    }

    public ZooKeeperStoreConfig withSecurity(Security other) {
        return new ZooKeeperStoreConfig(connectString, rootPath, clusterName, sessionTimeoutMillis, other, access);
    }

    public ZooKeeperStoreConfig withAccess(Access other) {
        return new ZooKeeperStoreConfig(connectString, rootPath, clusterName, sessionTimeoutMillis, security, other);
    }

    /** Returns the location for display. */
    public String address() {
        return "ZooKeeper " + servers().serverList() + ", root " + paths().root() + ", cluster " + clusterName;
    }

    ConnectString servers() {
        return ConnectString.parse(connectString);
    }

    public Paths paths() {
        return new Paths(servers().chroot() + rootPath, clusterName);
    }

    static void checkRootPath(String value) {
        PathUtils.validatePath(value);
        if (value.equals("/") || value.equals("/zookeeper") || value.startsWith("/zookeeper/")) {
            throw new IllegalArgumentException("that node belongs to ZooKeeper itself");
        }
    }

    static void checkClusterName(String value) {
        if (!CLUSTER_NAME.matcher(value).matches() || value.equals(".") || value.equals("..")) {
            throw new IllegalArgumentException("a cluster name has only letters, digits, dot, underscore and minus");
        }
    }
}
