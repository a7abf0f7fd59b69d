// SPDX-License-Identifier: Apache-2.0
package org.apache.sling.discovery.zk;

import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.common.PathUtils;

/**
 * Where the cluster is.
 *
 * @param connectString the servers, as host:port pairs with commas between; a path behind them is put before the root path and
 *     made when it is missing
 * @param rootPath the node below which discovery keeps everything
 * @param clusterName the cluster below that root; letters, digits, dot, underscore and minus
 * @param sessionTimeoutMillis after which silence an instance counts as gone; the servers may grant another one
 * @param problems what is wrong with the configuration, a sentence each; every snapshot reports it
 */
public record ZooKeeperStoreConfig(
        String connectString, String rootPath, String clusterName, int sessionTimeoutMillis, List<String> problems) {

    static final String DEFAULT_CONNECT_STRING = "127.0.0.1:2181";
    static final String DEFAULT_ROOT_PATH = "/sling/discovery";
    static final String DEFAULT_CLUSTER_NAME = "default";
    static final int DEFAULT_SESSION_TIMEOUT_MILLIS = 10_000;
    static final int SHORTEST_SESSION_MILLIS = 100;
    static final int LONGEST_SESSION_MILLIS = 600_000;

    private static final Pattern CLUSTER_NAME = Pattern.compile("[A-Za-z0-9._-]+");

    /** Checks all values and throws {@link IllegalArgumentException} with the reason for the first that is wrong. */
    public ZooKeeperStoreConfig {
        checkConnectString(connectString);
        checkRootPath(rootPath);
        checkClusterName(clusterName);
        checkSessionTimeout(sessionTimeoutMillis);
        problems = List.copyOf(problems);
    }

    /** Returns the configuration of the cluster named default below the default root. */
    public static ZooKeeperStoreConfig of(String connectString) {
        return new ZooKeeperStoreConfig(
                connectString, DEFAULT_ROOT_PATH, DEFAULT_CLUSTER_NAME, DEFAULT_SESSION_TIMEOUT_MILLIS, List.of());
    }

    public ZooKeeperStoreConfig withRootPath(String path) {
        return new ZooKeeperStoreConfig(connectString, path, clusterName, sessionTimeoutMillis, problems);
    }

    public ZooKeeperStoreConfig withClusterName(String name) {
        return new ZooKeeperStoreConfig(connectString, rootPath, name, sessionTimeoutMillis, problems);
    }

    public ZooKeeperStoreConfig withSessionTimeout(int millis) {
        return new ZooKeeperStoreConfig(connectString, rootPath, clusterName, millis, problems);
    }

    public ZooKeeperStoreConfig withProblems(List<String> sentences) {
        return new ZooKeeperStoreConfig(connectString, rootPath, clusterName, sessionTimeoutMillis, sentences);
    }

    /** Says whether this is the same cluster, reached in the same way. */
    boolean samePlace(ZooKeeperStoreConfig other) {
        return withProblems(List.of()).equals(other.withProblems(List.of()));
    }

    /** Returns where all this is, for people. */
    public String address() {
        return "ZooKeeper " + serverList() + ", root " + paths().root() + ", cluster " + clusterName;
    }

    Collection<InetSocketAddress> servers() {
        return new ConnectStringParser(connectString).getServerAddresses();
    }

    /** Returns the servers without the path behind them. */
    String serverList() {
        return servers().stream()
                .map(server -> server.getHostString().contains(":")
                        ? "[" + server.getHostString() + "]:" + server.getPort()
                        : server.getHostString() + ":" + server.getPort())
                .collect(Collectors.joining(","));
    }

    Paths paths() {
        String chroot = new ConnectStringParser(connectString).getChrootPath();
        return new Paths((chroot == null ? "" : chroot) + rootPath, clusterName);
    }

    static void checkConnectString(String value) {
        Objects.requireNonNull(value, "connectString");
        ConnectStringParser parser;
        try {
            parser = new ConnectStringParser(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a port is not a number", e);
        }
        if (parser.getServerAddresses().isEmpty()
                || parser.getServerAddresses().stream()
                        .anyMatch(server -> server.getHostString().isBlank() || server.getPort() == 0)) {
            throw new IllegalArgumentException("it names no server");
        }
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

    static void checkSessionTimeout(long value) {
        if (value < SHORTEST_SESSION_MILLIS || value > LONGEST_SESSION_MILLIS) {
            throw new IllegalArgumentException(
                    "it must be from " + SHORTEST_SESSION_MILLIS + " to " + LONGEST_SESSION_MILLIS);
        }
    }
}
