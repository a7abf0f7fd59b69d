// SPDX-License-Identifier: Apache-2.0
package io.github.discoveryzk.it.cluster;

import static io.github.discoveryzk.it.outside.Limit.awaitThat;

import io.github.discoveryzk.connectors.settings.ConnectorSettings;
import io.github.discoveryzk.connectors.settings.ConnectorSettings.Transfer;
import io.github.discoveryzk.connectors.settings.Timing;
import io.github.discoveryzk.report.ConnectorReport;
import io.github.discoveryzk.report.ConnectorReport.ConnectorState;
import io.github.discoveryzk.testing.server.TcpProxy;
import io.github.discoveryzk.testing.server.TestServer;
import io.github.discoveryzk.zk.ZooKeeperStoreConfig;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sling.discovery.ClusterView;
import org.apache.sling.discovery.InstanceDescription;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Instances in plain Java in several clusters, with connectors between them over real HTTP. The first letter of an instance id names
 * its cluster, and each cluster has its own server.
 */
final class ConnectedInstances implements AutoCloseable {

    /** No announcement expires on a machine that is busy with other builds. */
    static final Duration LONG = Duration.ofSeconds(60);
    /** No test waits for the end of a session. */
    private static final int SESSION_MILLIS = 60_000;

    private static final Duration PING_INTERVAL = Duration.ofSeconds(1);

    private final Path folder;
    private final Duration pingTimeout;
    private final Map<String, TestServer> servers = new TreeMap<>();
    private final Map<String, PlainInstance> instances = new LinkedHashMap<>();
    private final Map<String, TcpProxy> wires = new LinkedHashMap<>();

    /** Prepares instances whose announcements are kept for that long without a ping. */
    ConnectedInstances(Path folder, Duration pingTimeout) {
        this.folder = folder;
        this.pingTimeout = pingTimeout;
    }

    /** Starts instances, each when the one before it is settled. */
    void start(String... ids) throws Exception {
        for (String id : ids) {
            start(id, config(id.substring(0, 1)));
            awaitSettled(id);
        }
    }

    /** Starts an instance; does not wait. */
    void start(String id, ZooKeeperStoreConfig config) {
        PlainInstance instance = new PlainInstance(id, config.withSessionTimeout(SESSION_MILLIS));
        instances.put(id, instance);
        instance.start();
    }

    void awaitSettled(String... ids) {
        awaitThat(
                Arrays.toString(ids) + " settled",
                () -> Stream.of(ids).map(this::get).allMatch(each -> each.isCurrent() && each.hasReceivedItsView()));
    }

    /** Returns the configuration with the address of the server of that name. */
    ZooKeeperStoreConfig config(String server) throws Exception {
        if (!servers.containsKey(server)) {
            servers.put(server, new TestServer(Files.createTempDirectory(folder, server)));
        }
        return ZooKeeperStoreConfig.of(servers.get(server).address());
    }

    PlainInstance get(String id) {
        return instances.get(id);
    }

    Set<String> ids() {
        return Set.copyOf(instances.keySet());
    }

    /** Opens connectors from an instance to others. */
    void connect(String id, String... peers) {
        List<List<URI>> outgoing = Stream.of(peers).map(this::url).map(List::of).toList();
        get(id).connectors()
                .connect(new ConnectorSettings(
                        outgoing,
                        ConnectorSettings.DEFAULT.allowed(),
                        Optional.empty(),
                        new Timing(PING_INTERVAL, pingTimeout, 1),
                        new Transfer(pingTimeout.dividedBy(4), pingTimeout.dividedBy(4), false),
                        false));
    }

    /** Returns the URL of an instance for connectors to it. */
    URI url(String id) {
        return URI.create(EndpointServer.url(wire(id).port()));
    }

    /** Stops an instance, which leaves its cluster. */
    void stop(String id) {
        instances.remove(id).close();
    }

    /** Returns the proxy in front of the endpoint of an instance. */
    TcpProxy wire(String id) {
        return wires.computeIfAbsent(
                id, name -> new TcpProxy(get(name).endpoint().port()));
    }

    ConnectorReport connectors(String id) {
        return get(id).connectors().report();
    }

    /** Returns the leader and the members of each cluster that an instance shows, by cluster id. */
    private Map<String, String> shown(String id) {
        return get(id).discovery().getTopology().getClusterViews().stream()
                .collect(Collectors.toMap(
                        ClusterView::getId,
                        cluster -> cluster.getLeader().getSlingId() + " of " + members(cluster),
                        (one, other) -> one + " and " + other,
                        TreeMap::new));
    }

    private static String members(ClusterView cluster) {
        return cluster.getInstances().stream()
                .map(InstanceDescription::getSlingId)
                .sorted()
                .collect(Collectors.joining(","));
    }

    /**
     * Waits until no connectors form a loop: those that are connected are one less than the clusters, and the others stand by. A loop is
     * detected only after an announcement has travelled all the way round, at times after all clusters are shown, and when it ends a
     * cluster may be hidden for the time of a ping.
     */
    void awaitTree(int clusters) {
        awaitThat("a tree of " + clusters + " clusters", () -> {
            List<ConnectorState> states = instances.keySet().stream()
                    .flatMap(id -> connectors(id).outgoing().stream())
                    .map(ConnectorReport.Outgoing::state)
                    .toList();
            return Set.of(ConnectorState.CONNECTED, ConnectorState.STANDBY).containsAll(states)
                    && Collections.frequency(states, ConnectorState.CONNECTED) == clusters - 1;
        });
    }

    /** Waits until all these instances show the same clusters, which have these members, and no instance twice. */
    void untilAllShow(Set<String> ids, String... clusters) {
        Set<String> wanted = Set.of(clusters);
        try {
            awaitThat(ids + " show " + wanted, () -> {
                Set<Map<String, String>> shown = ids.stream().map(this::shown).collect(Collectors.toSet());
                return shown.size() == 1
                        && wanted.size() == shown.iterator().next().size()
                        && wanted.equals(shown.iterator().next().values().stream()
                                .map(each -> each.substring(each.indexOf(" of ") + 4))
                                .collect(Collectors.toSet()))
                        && ids.stream().allMatch(id -> get(id).hasReceivedItsView());
            });
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(
                    ids.stream()
                            .map(id -> id + " shows " + shown(id) + ": " + connectors(id))
                            .collect(Collectors.joining("\n")),
                    e);
        }
    }

    /** Returns how many exchanges each connector has begun and ended, by instance and connector. */
    Map<String, Long> exchanges() {
        Map<String, Long> counts = new TreeMap<>();
        instances.forEach((id, instance) -> {
            List<ConnectorReport.Outgoing> outgoing = connectors(id).outgoing();
            for (int i = 0; i < outgoing.size(); i++) {
                counts.put(id + "-" + i, outgoing.get(i).traffic().requests());
            }
        });
        return counts;
    }

    /** Waits until each connector has made some more exchanges. */
    void awaitExchanges(long more) {
        Map<String, Long> before = exchanges();
        awaitThat(more + " exchanges of each connector", () -> exchanges().entrySet().stream()
                .allMatch(each -> each.getValue() >= before.get(each.getKey()) + more));
    }

    /** Returns how many events the listener of each instance has received. */
    Map<PlainInstance, Integer> marks() {
        return instances.values().stream()
                .collect(Collectors.toMap(each -> each, each -> each.events().size()));
    }

    void forgetAsked() {
        servers.values().forEach(TestServer::forgetAsked);
    }

    /** Returns how often servers were asked what since {@link #forgetAsked}, in total. */
    Map<String, Long> asked() {
        Map<String, Long> all = new TreeMap<>();
        servers.values().stream()
                .flatMap(server -> server.asked().values().stream())
                .forEach(session -> session.forEach((name, count) -> all.merge(name, count, Long::sum)));
        return all;
    }

    @Override
    public void close() {
        wires.values().forEach(TcpProxy::close);
        instances.values().parallelStream().forEach(PlainInstance::close);
        servers.values().forEach(TestServer::close);
    }
}
