// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.launcher;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command line. Filled by the parser, checked once, and read-only from then on. */
@Command(
        name = "./run",
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Starts a cluster on this machine: containers with discovery in their own processes, of which the "
                    + "first one, or three, have a ZooKeeper server. Shows the events of their listeners until Ctrl-C, "
                    + "which stops all of them.",
            ""
        },
        optionListHeading = "Options:%n",
        footer = {
            "",
            "Everything else listens on 127.0.0.1 only. Exit codes: 2 for a wrong option, 1 for any other reason why "
                    + "the cluster does not start."
        })
final class LauncherOptions {

    /** The framework property with the name under which pages show an instance. */
    private static final String NAME = "sling.name";

    private static final String CLUSTER_NAME = "[A-Za-z0-9._-]+";
    private static final String SERVER = " *([^:,/\\[\\]]+|\\[[^\\]]+\\])(:[0-9]{1,5})? *";
    private static final String CONNECT_STRING = SERVER + "(," + SERVER + ")*(/.*)?";
    private static final int REACH_LIMIT_MILLIS = 3_000;
    private static final int MAX_PORT = 65_535;
    private static final int DEFAULT_SERVER_PORT = 2181;
    private static final int MAX_INSTANCES = 200;
    private static final int ENSEMBLE = 3;
    private static final int MIN_SESSION_TIMEOUT_MILLIS = 500;
    private static final int MAX_SESSION_TIMEOUT_MILLIS = 600_000;

    @Option(
            names = {"-n", "--instances"},
            paramLabel = "N",
            defaultValue = "3",
            description = "How many instances (default: ${DEFAULT-VALUE}).")
    private int instances;

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "8080",
            description = "HTTP port of the first instance; the next ones follow (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--http-address",
            paramLabel = "ADDRESS",
            description = "The address of this machine at which the consoles listen, 0.0.0.0 for all; 127.0.0.1 by "
                    + "default. Their password is known.")
    private String httpAddress;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = "${sys:launcher.dir:-target/cluster}",
            description = "Where the state is kept: a folder DIR/instance-<k> for each instance, with its log "
                    + "(default: ${DEFAULT-VALUE}).")
    private Path directory;

    @Option(
            names = "--zookeeper",
            paramLabel = "CONNECT",
            description = "Use this ensemble and start no servers, for example 127.0.0.1:2181,127.0.0.1:2182/path.")
    private String zookeeper;

    @Option(names = "--cluster", paramLabel = "NAME", description = "The cluster to join, if not the default one.")
    private String cluster;

    @Option(
            names = "--session-timeout",
            paramLabel = "MS",
            description = "The session timeout in milliseconds; a crash that no neighbour notices is seen after it.")
    private Integer sessionTimeoutMillis;

    @Option(
            names = "--connect",
            paramLabel = "URL",
            description =
                    "Connect the topology to that of another cluster, by a topology connector from every instance, for"
                            + " example http://127.0.0.1:9090/libs/sling/topology/connector. May be repeated.")
    private List<String> connectors = new ArrayList<>();

    @Option(
            names = "--accept",
            description =
                    "Let the topology connectors of other clusters on this machine connect; --connect does so too.")
    private boolean accept;

    @Option(
            names = "--add",
            paramLabel = "JAR",
            description = "Deploy a further bundle into every instance. May be repeated.")
    private List<Path> added = new ArrayList<>();

    @Option(
            names = "--property",
            paramLabel = "NAME=VALUE",
            description = "Set a framework property of every instance. May be repeated.")
    private Map<String, String> properties = new LinkedHashMap<>();

    @Option(names = "--fresh", description = "Forget the state of earlier starts in DIR.")
    private boolean fresh;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this text and exit.")
    @SuppressWarnings("UnusedVariable") // It is there for its annotation.
    private boolean help;

    /** Checks the options as far as files and values allow. A wrong one is a {@link ParameterException}. */
    void check() {
        within("--instances", instances, 1, MAX_INSTANCES);
        within("--port", port, 1, MAX_PORT);
        refuseIf(
                port + instances - 1 > MAX_PORT,
                "--port " + port + " is too high for " + instances + " instances: the last port is " + MAX_PORT);
        if (sessionTimeoutMillis != null) {
            within("--session-timeout", sessionTimeoutMillis, MIN_SESSION_TIMEOUT_MILLIS, MAX_SESSION_TIMEOUT_MILLIS);
        }
        refuseIf(
                httpAddress != null && (httpAddress.contains(":") || !Ports.isOwn(httpAddress)),
                "--http-address " + httpAddress + " is not an IPv4 address or name of this machine");
        refuseIf(
                cluster != null && !cluster.matches(CLUSTER_NAME),
                "--cluster '" + cluster + "' is not a valid name: use letters, digits, dot, underscore and minus");
        refuseIf(
                zookeeper != null && !zookeeper.matches(CONNECT_STRING),
                "--zookeeper " + zookeeper
                        + " is not a list of servers: write host:port,host:port, followed by a path if needed");
        refuseIf(
                Files.exists(directory) && !Files.isDirectory(directory),
                "--dir " + directory + " is not a directory: choose another");
        for (Path jar : added) {
            try {
                BundleJar.read(jar);
            } catch (IOException e) {
                refuseIf(true, "--add " + jar + " cannot be deployed: " + e.getMessage());
            }
        }
    }

    private void within(String option, int value, int low, int high) {
        refuseIf(
                value < low || value > high,
                option + " " + value + " is out of range: give a number from " + low + " to " + high);
    }

    private void refuseIf(boolean wrong, String message) {
        if (wrong) {
            throw new ParameterException(new CommandLine(this), message);
        }
    }

    /**
     * Checks whether a given server can be reached.
     *
     * @throws LaunchException if none can
     */
    void checkServers() throws LaunchException {
        if (zookeeper == null) {
            return;
        }
        List<String> reasons = new ArrayList<>();
        for (String each : zookeeper.replaceFirst("/.*", "").split(",")) {
            // One without a port has the default one.
            URI server = URI.create("zk://" + each.trim());
            int port = server.getPort() < 0 ? DEFAULT_SERVER_PORT : server.getPort();
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(server.getHost(), port), REACH_LIMIT_MILLIS);
                return;
            } catch (UnknownHostException e) {
                reasons.add(server.getHost() + " is not a known host");
            } catch (IOException e) {
                reasons.add(server.getHost() + ":" + port + ": " + e.getMessage());
            }
        }
        throw new LaunchException("no ZooKeeper server of " + zookeeper
                + " can be reached: start the ensemble or correct --zookeeper (" + String.join("; ", reasons) + ")");
    }

    /**
     * Checks whether all ports are free.
     *
     * @throws LaunchException if one is in use
     */
    void checkPorts() throws LaunchException {
        String busy = IntStream.range(port, port + instances)
                .filter(each -> !Ports.isFree(each))
                .mapToObj(String::valueOf)
                .collect(Collectors.joining(", "));
        if (!busy.isEmpty()) {
            throw new LaunchException("port " + busy + " of " + Ports.HOST
                    + " is in use: stop the process that listens there, or choose another first port with --port");
        }
    }

    /** Returns the options that start one more instance of the same cluster. */
    String oneMore(String connectString) {
        return "--zookeeper " + connectString + " -n 1 --port " + (port + instances)
                + " --dir target/one-more --property sling.name=instance-" + (instances + 1)
                + (httpAddress == null ? "" : " --http-address " + httpAddress)
                + (cluster == null ? "" : " --cluster " + cluster)
                + (sessionTimeoutMillis == null ? "" : " --session-timeout " + sessionTimeoutMillis);
    }

    Path directory() {
        return directory.toAbsolutePath().normalize();
    }

    Optional<String> zookeeper() {
        return Optional.ofNullable(zookeeper);
    }

    /** Returns how many containers have a server: three survive the loss of any one. */
    int servers() {
        if (zookeeper != null) {
            return 0;
        }
        return instances < ENSEMBLE ? 1 : ENSEMBLE;
    }

    boolean fresh() {
        return fresh;
    }

    /** Returns the settings of each instance, in order; the first ones carry the servers of a list. */
    List<ContainerSettings> containers(Optional<String> servers) {
        List<ContainerSettings> containers = new ArrayList<>();
        for (int k = 1; k <= instances; k++) {
            Path folder = folder(directory(), k);
            boolean carries = k <= servers();
            ContainerSettings unnamed = new ContainerSettings(
                    folder,
                    port + k - 1,
                    discovery(carries ? Optional.empty() : servers.map(LauncherOptions::forClients)),
                    Map.of(),
                    properties,
                    added,
                    Optional.empty(),
                    servers.filter(any -> carries)
                            .map(list -> server(list, folder))
                            .orElse(Map.of()));
            ContainerSettings named =
                    properties.containsKey(NAME) ? unnamed : unnamed.withFrameworkProperty(NAME, unnamed.name());
            ContainerSettings open =
                    httpAddress == null ? named : named.withFrameworkProperty(ContainerProcess.HTTP_HOST, httpAddress);
            containers.add(accept || !connectors.isEmpty() ? open.withConnectors(connectors) : open);
        }
        return containers;
    }

    /** Returns the folder of an instance by its number. */
    static Path folder(Path directory, int number) {
        return directory.resolve("instance-" + number);
    }

    /** Returns the folder of the server of an instance. Ensembles of different sizes do not share data. */
    static Path serverFolder(Path folder, int servers) {
        return folder.resolve("zookeeper-" + servers);
    }

    /** Returns a list without the ports that only servers use. */
    static String forClients(String servers) {
        return servers.replaceAll("(:\\d+):\\d+:\\d+", "$1");
    }

    private Map<String, Object> server(String list, Path folder) {
        return Map.of(
                DiscoveryConfiguration.SERVERS,
                list,
                DiscoveryConfiguration.SERVER_FOLDER,
                serverFolder(folder, servers()).toString());
    }

    private Map<String, Object> discovery(Optional<String> others) {
        Map<String, Object> values = new LinkedHashMap<>();
        others.or(this::zookeeper).ifPresent(list -> values.put(DiscoveryConfiguration.CONNECT_STRING, list));
        if (cluster != null) {
            values.put(DiscoveryConfiguration.CLUSTER_NAME, cluster);
        }
        if (sessionTimeoutMillis != null) {
            values.put(DiscoveryConfiguration.SESSION_TIMEOUT_MILLIS, sessionTimeoutMillis);
        }
        return values;
    }
}
